import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { AnswerHistory } from '../../../src/api/answerer/answerHistory.js';
import { ApiError, type Failure } from '../../../src/api/failure.js';
import {
  feedStore,
  readOnFocus,
  watchRefreshSituation,
  watchSignIns,
} from '../../../src/host/feed.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { systemClock } from '../../../src/model/base/time.js';
import type { Ignored } from '../../../src/model/entered/ignoredEntries.js';
import { ProblemMemory } from '../../../src/model/problems/problemMemory.js';
import { answerOf } from '../../support/answers.js';
import { MemoryState } from '../../support/memoryState.js';
import { failedAccount, healthy } from '../../support/platform/data.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import {
  createGraph,
  type Graph,
  openAnotherTab,
  startWorld,
  type World,
} from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';
import { settle } from '../../support/window/windowRecorder.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };

const refused = (failure: Failure) => () => Promise.reject(new ApiError(failure));

describe('watchSignIns()', () => {
  for (const [what, isForgotten, change] of [
    [
      'another token',
      true,
      (graph: Graph) => graph.services.organizations.signIn({ ...acme, token: 'tok-0987654321' }),
    ],
    [
      'another organization',
      false,
      (graph: Graph) => graph.services.organizations.signIn({ ...acme, name: 'Other' }),
    ],
  ] as const) {
    it(`${isForgotten ? 'forgets' : 'keeps'} what an organization has answered after a sign-in with ${what}`, async () => {
      const graph = createGraph();
      const { organizations } = graph.services;
      const { id } = await organizations.signIn(acme);
      const history = new AnswerHistory();
      const watch = watchSignIns(organizations, history);
      history.add(id);
      await change(graph);
      watch.dispose();
      assert.equal(history.has(id), !isForgotten);
    });
  }
});

describe('feedStore()', () => {
  let graph: Graph;
  beforeEach(() => {
    graph = createGraph();
  });

  it('gives the store another session for another server or token only, and forgets the installs and problems of an organization on sign-out', async () => {
    const { organizations, installs } = graph.services;
    const sessions: unknown[] = [];
    const store = {
      setListed: () => undefined,
      setListIgnored: () => undefined,
      setOrganization: (one: unknown) => sessions.push(one),
    };
    let remembered: Iterable<string> = [];
    const { log } = graph.services;
    const memory = Object.assign(
      new ProblemMemory({ ...systemClock, state: new MemoryState(), log }),
      {
        keepOrganizations: (ids: Iterable<string>) => void (remembered = ids),
      },
    );
    const feed = feedStore({ ...graph.services, memory, store });
    sessions.length = 0;
    const { id } = await organizations.signIn(acme);
    await organizations.setSessionToken(id, 'ses-1234567890');
    await organizations.switchTo(id);
    assert.equal(sessions.length, 1);
    await organizations.signIn({ ...acme, token: 'tok-0987654321' });
    assert.equal(sessions.length, 2);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    for (const one of [id, other.id]) installs.add(one, one, answerOf({}));
    await organizations.signOut(id);
    const [kept, ...others] = installs.installs;
    assert.deepEqual([kept?.organizationId, others], [other.id, []]);
    assert.deepEqual([...remembered], ['environment', other.id]);
    feed.dispose();
  });

  it('tells the store whether a list of the workspace is ignored, and when that changes', () => {
    const changed = new Emitter<void>();
    const ignoredSettings = Object.assign(Object.create(graph.services.ignoredSettings), {
      onDidChange: changed.event,
    });
    const become = (value: Ignored) => {
      Object.defineProperty(ignoredSettings, 'current', { value, configurable: true });
      changed.fire();
      return graph.services.store.counts.isListIgnored;
    };
    const feed = feedStore({ ...graph.services, ignoredSettings });
    const some = { count: 1, files: ['.vscode/settings.json'] };
    const told = [
      { deployments: some },
      {},
      { deployments: some, owners: some },
      { owners: some },
    ].map(become);
    assert.deepEqual(told, [true, undefined, true, undefined]);
    Object.defineProperty(ignoredSettings, 'isRead', { value: false });
    become({});
    assert.equal(graph.services.store.counts.isListUnread, true);
    feed.dispose();
  });

  it('reads nothing more of an organization that another tab of the browser has signed out', async () => {
    const world = await startWorld();
    const { id } = await world.signIn();
    await world.graph.read('dep_1');
    const asked = world.asked();
    await (await openAnotherTab(world.graph)).signOut(id);
    await world.graph.services.store.refresh();
    assert.deepEqual(
      [world.asked(), world.graph.services.organizations.noCurrentReason],
      [asked, 'chosenGone'],
    );
  });

  it('ends a read whose organization another tab has signed out while it connected', async () => {
    const { context, services } = graph;
    const { id } = await services.organizations.signIn(acme);
    const ended: boolean[] = [];
    services.client.getDeploymentAuthorization = async (_target, _id, { signal, onPhase }) => {
      onPhase?.({ kind: 'connecting' });
      ended.push(signal.aborted);
      await context.globalState.update('signInMarks', { [id]: 'signedOut' });
      onPhase?.({ kind: 'sending' });
      ended.push(signal.aborted);
      throw new ApiError({ kind: 'cancelled' });
    };
    await graph.read('dep_1');
    assert.deepEqual(ended, [false, true]);
  });

  it('starts each read once at a sign-in', async () => {
    const window = {
      state: { focused: true, active: true },
      onDidChangeWindowState: () => new vscode.Disposable(() => {}),
    };
    const { services } = createGraph({}, { window });
    const asked: string[] = [];
    services.client.getDeploymentAuthorization = (_target, id) => {
      asked.push(id);
      return new Promise(() => undefined);
    };
    await writeSetting('automationPlatform.deployments', ['dep_1', 'dep_2']);
    await services.organizations.signIn(acme);
    assert.deepEqual(asked, ['dep_1', 'dep_2']);
  });

  it('watchRefreshSituation() passes on what the schedule depends on, now and after each change', async () => {
    const { organizations } = graph.services;
    const looked = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const focused = new vscode.EventEmitter<vscode.WindowState>();
    const view = { visible: false, onDidChangeVisibility: looked.event };
    const window = {
      state: { focused: true, active: true },
      onDidChangeWindowState: focused.event,
    };
    let passedOn: unknown;
    const watch = watchRefreshSituation(
      graph.services,
      view,
      (situation) => (passedOn = situation),
      window,
    );
    const first = { hasFocus: true, isViewVisible: false, listed: [], breaker: undefined };
    const always = { intervalMinutes: 5, isStatusBarShown: true, isPaused: false };
    assert.deepEqual(passedOn, { ...always, ...first, isBadgeShown: true });
    const { store } = graph.services;
    const { id } = await organizations.signIn(acme);
    await writeSetting('automationPlatform.badge.enabled', false);
    await writeSetting('automationPlatform.deployments', ['dep_1', { id: 'dep_2' }]);
    window.state = { focused: false, active: false };
    focused.fire(window.state);
    view.visible = true;
    looked.fire(view);
    const since = {
      hasFocus: false,
      isViewVisible: true,
      listed: ['dep_1', 'dep_2'],
      isBadgeShown: false,
    };
    store.setListed([{ id: 'dep_1' }]);
    for (const [failure, expected] of [
      [{ kind: 'timedOut', after: 1 }, 'open'],
      [{ kind: 'tokenRejected', status: 401 }, 'open'],
      [{ kind: 'notFound', status: 404 }, 'closed'],
    ] as const) {
      store.setOrganization({ id, read: refused(failure) });
      await store.refresh();
      assert.deepEqual(passedOn, { ...always, ...since, breaker: store.breaker });
      assert.equal(store.breaker?.state, expected);
    }
    watch.dispose();
  });
});

describe('readOnFocus()', () => {
  const focus = new vscode.EventEmitter<vscode.WindowState>();
  let graph: Graph;
  let platform: World['platform'];
  let time: number;
  beforeEach(async () => {
    ({ graph, platform } = await startWorld());
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, failedAccount());
    platform.putDeployment('dep_3', healthy());
    await graph.read('dep_1', 'dep_2', 'dep_3');
    time = Date.now();
    const window = { state: { focused: true, active: true }, onDidChangeWindowState: focus.event };
    const listening = readOnFocus(graph.services, window, { now: () => time });
    atEndOfTest(() => listening.dispose());
  });

  const show = (focused: boolean) => focus.fire({ focused, active: focused });
  /** What is asked when the window gets the focus, so many seconds after all was read. */
  async function askedAfter(seconds: number): Promise<readonly (string | undefined)[]> {
    time += seconds * 1000;
    const before = platform.requests.length;
    show(false);
    show(true);
    await settle();
    await graph.services.store.refresh([]);
    return platform.requests.slice(before).map(({ route }) => route.id);
  }

  it('reads one deployment of an account whose fix is waited for', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await askedAfter(31), ['dep_1']);
  });

  it('reads nothing that was read in the last 30 seconds', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await askedAfter(29), []);
  });

  it('reads again when the clock was set back', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await askedAfter(-3600), ['dep_1']);
  });

  it('reads nothing while no notification is wanted', async () => {
    assert.deepEqual(await askedAfter(31), []);
  });

  it('reads nothing while the window keeps the focus', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    time += 31_000;
    const before = platform.requests.length;
    show(true);
    await settle();
    assert.equal(platform.requests.length, before);
  });

  for (const [what, failure] of [
    ['the token is rejected', { kind: 'tokenRejected', status: 401 }],
    ['nothing can be read', { kind: 'timedOut', after: 1 }],
  ] as const) {
    it(`reads nothing while ${what}`, async () => {
      const { organizations, store } = graph.services;
      await graph.run('notifyWhenFixed', graph.row('dep_1'));
      let asked = 0;
      const read = async () => {
        asked++;
        throw new ApiError(failure);
      };
      store.setOrganization({ id: organizations.current!.id, read });
      await store.refresh();
      const before = asked;
      await askedAfter(31);
      assert.deepEqual([before > 0, asked], [true, before]);
    });
  }
});
