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
import type { RefreshSituation } from '../../../src/model/schedule.js';
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

/** An organization that is signed in, and a history with answers of it, which watches sign-ins. */
async function signedIn() {
  const { organizations } = createGraph().services;
  const { id } = await organizations.signIn(acme);
  const history = new AnswerHistory();
  const watch = watchSignIns(organizations, history);
  atEndOfTest(() => watch.dispose());
  history.add(id);
  const answersOfAcme = () => (history.has(id) ? 'kept' : 'forgotten');
  return { organizations, answersOfAcme };
}

describe('watchSignIns()', () => {
  it('forgets the answers of an organization when it gets another token', async () => {
    const { organizations, answersOfAcme } = await signedIn();
    await organizations.signIn({ ...acme, token: 'tok-0987654321' });
    assert.equal(answersOfAcme(), 'forgotten');
  });

  it('keeps the answers of an organization when the user signs in to another one', async () => {
    const { organizations, answersOfAcme } = await signedIn();
    await organizations.signIn({ ...acme, name: 'Other' });
    assert.equal(answersOfAcme(), 'kept');
  });
});

describe('feedStore()', () => {
  let graph: Graph;
  beforeEach(() => {
    graph = createGraph();
  });

  /** Feeds a store that only records which organizations it was given, by their IDs; `undefined` for none. */
  function recordOrganizations(): (string | undefined)[] {
    const given: (string | undefined)[] = [];
    const store = {
      setListed: () => undefined,
      setListIgnored: () => undefined,
      setOrganization: (session?: { readonly id: string }) => {
        given.push(session?.id);
      },
    };
    const feed = feedStore({ ...graph.services, store });
    atEndOfTest(() => feed.dispose());
    return given;
  }

  it('gives the store the organization of a new sign-in', async () => {
    const given = recordOrganizations();
    const { id } = await graph.services.organizations.signIn(acme);
    assert.deepEqual(given, [id]);
  });

  it('gives the store the organization anew when its token changes', async () => {
    const { organizations } = graph.services;
    const { id } = await organizations.signIn(acme);
    const given = recordOrganizations();
    assert.deepEqual(given.splice(0), [id]);
    await organizations.signIn({ ...acme, token: 'tok-0987654321' });
    assert.deepEqual(given, [id]);
  });

  it('leaves the store alone when the session token changes, or the choice is repeated', async () => {
    const { organizations } = graph.services;
    const { id } = await organizations.signIn(acme);
    const given = recordOrganizations();
    given.length = 0;
    await organizations.setSessionToken(id, 'ses-1234567890');
    await organizations.switchTo(id);
    assert.deepEqual(given, []);
  });

  it('forgets the pending installs of an organization that is signed out', async () => {
    const { organizations, installs } = graph.services;
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    for (const organizationId of [id, other.id])
      installs.add(organizationId, organizationId, answerOf({}));
    await organizations.signOut(id);
    const kept = installs.installs.map(({ organizationId }) => organizationId);
    assert.deepEqual(kept, [other.id]);
  });

  it('keeps problems only of organizations that are not signed out', async () => {
    const { muteEntries, organizations, log } = graph.services;
    let kept: string[] = [];
    const memory = Object.assign(
      new ProblemMemory({ ...systemClock, state: new MemoryState(), log, muteEntries }),
      {
        keepOrganizations: (ids: Iterable<string>) => {
          kept = [...ids];
        },
      },
    );
    const feed = feedStore({ ...graph.services, memory });
    atEndOfTest(() => feed.dispose());
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    await organizations.signOut(id);
    assert.deepEqual(kept, ['environment', other.id]);
  });

  describe('in an untrusted workspace', () => {
    const some = { count: 1, files: ['.vscode/settings.json'] };
    let become: (ignored: Ignored, isRead?: boolean) => void;
    beforeEach(() => {
      const changed = new Emitter<void>();
      const ignoredSettings = Object.create(graph.services.ignoredSettings, {
        onDidChange: { value: changed.event },
      });
      const feed = feedStore({ ...graph.services, ignoredSettings });
      atEndOfTest(() => feed.dispose());
      become = (current, isRead = true) => {
        Object.defineProperty(ignoredSettings, 'current', { value: current, configurable: true });
        Object.defineProperty(ignoredSettings, 'isRead', { value: isRead, configurable: true });
        changed.fire();
      };
    });

    for (const [what, ignored] of [
      ['deployments', { deployments: some }],
      ['deployments and owners', { deployments: some, owners: some }],
    ] as const) {
      it(`tells the store that a list is ignored: ${what}`, () => {
        become(ignored);
        assert.equal(graph.services.store.counts.isListIgnored, true);
      });
    }

    for (const [what, ignored] of [
      ['nothing', {}],
      ['owners alone', { owners: some }],
    ] as const) {
      it(`tells the store that no list is ignored: ${what}`, () => {
        become({ deployments: some });
        become(ignored);
        assert.equal(graph.services.store.counts.isListIgnored, undefined);
      });
    }

    it('tells the store that the list is unread until it is read', () => {
      become({}, false);
      assert.equal(graph.services.store.counts.isListUnread, true);
    });
  });

  it('sends no request for an organization that another tab of the browser has signed out', async () => {
    const world = await startWorld();
    const { id } = await world.signIn();
    await world.graph.read('dep_1');
    const askedBefore = world.asked();
    await (await openAnotherTab(world.graph)).signOut(id);
    await world.graph.services.store.refresh();
    assert.deepEqual(world.asked(), askedBefore);
    assert.equal(world.graph.services.organizations.noCurrentReason, 'chosenGone');
  });

  it('aborts a read when another tab signs out the organization while the read connects', async () => {
    const { context, services } = graph;
    const { id } = await services.organizations.signIn(acme);
    const aborted = new Map<string, boolean>();
    services.client.getDeploymentAuthorization = async (_target, _id, { signal, onPhase }) => {
      onPhase?.({ kind: 'connecting' });
      aborted.set('connecting', signal.aborted);
      await context.globalState.update('signInMarks', { [id]: 'signedOut' });
      onPhase?.({ kind: 'sending' });
      aborted.set('sending', signal.aborted);
      throw new ApiError({ kind: 'cancelled' });
    };
    await graph.read('dep_1');
    assert.deepEqual(Object.fromEntries(aborted), { connecting: false, sending: true });
  });

  it('reads each listed deployment once at a sign-in', async () => {
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
});

type Situation = Omit<RefreshSituation, 'mentioned'>;

describe('watchRefreshSituation()', () => {
  const atFirst = {
    intervalMinutes: 5,
    isStatusBarShown: true,
    isBadgeShown: true,
    isPaused: false,
    hasFocus: true,
    isViewVisible: false,
    listed: [],
    breaker: undefined,
  };
  const visibilityChanged = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  const windowChanged = new vscode.EventEmitter<vscode.WindowState>();
  let graph: Graph;
  let view: { visible: boolean; onDidChangeVisibility: typeof visibilityChanged.event };
  let window: { state: vscode.WindowState; onDidChangeWindowState: typeof windowChanged.event };
  /** What was passed on last. */
  let situation: Situation | undefined;

  const passOn = (passedOn: Situation) => {
    situation = passedOn;
  };
  beforeEach(() => {
    graph = createGraph();
    view = { visible: false, onDidChangeVisibility: visibilityChanged.event };
    window = {
      state: { focused: true, active: true },
      onDidChangeWindowState: windowChanged.event,
    };
    const watch = watchRefreshSituation(graph.services, view, passOn, window);
    atEndOfTest(() => watch.dispose());
  });

  it('passes on the situation at once', () => {
    assert.deepEqual(situation, atFirst);
  });

  it('passes on a changed setting', async () => {
    await writeSetting('automationPlatform.badge.enabled', false);
    assert.deepEqual(situation, { ...atFirst, isBadgeShown: false });
  });

  it('passes on the IDs of a changed list', async () => {
    await writeSetting('automationPlatform.deployments', ['dep_1', { id: 'dep_2' }]);
    assert.deepEqual(situation, { ...atFirst, listed: ['dep_1', 'dep_2'] });
  });

  it('passes on that the window has lost the focus', () => {
    window.state = { focused: false, active: false };
    windowChanged.fire(window.state);
    assert.deepEqual(situation, { ...atFirst, hasFocus: false });
  });

  it('passes on that the view is visible', () => {
    view.visible = true;
    visibilityChanged.fire(view);
    assert.deepEqual(situation, { ...atFirst, isViewVisible: true });
  });

  it('passes on the circuit breaker after each read', async () => {
    const { organizations, store } = graph.services;
    const { id } = await organizations.signIn(acme);
    store.setListed([{ id: 'dep_1' }]);
    for (const [failure, state] of [
      [{ kind: 'timedOut', after: 1 }, 'open'],
      [{ kind: 'tokenRejected', status: 401 }, 'open'],
      [{ kind: 'notFound', status: 404 }, 'closed'],
    ] as const) {
      store.setOrganization({ id, read: refused(failure) });
      await store.refresh();
      const isPassedOn = situation?.breaker === store.breaker;
      assert.equal(isPassedOn, true, failure.kind);
      assert.equal(store.breaker?.state, state, failure.kind);
    }
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

  const setFocus = (focused: boolean) => focus.fire({ focused, active: focused });
  /** The IDs that are read when the window gets the focus, so many seconds after all was read. */
  async function idsReadOnFocus({
    seconds,
  }: {
    seconds: number;
  }): Promise<readonly (string | undefined)[]> {
    time += seconds * 1000;
    const before = platform.requests.length;
    setFocus(false);
    setFocus(true);
    await settle();
    await graph.services.store.refresh([]);
    return platform.requests.slice(before).map(({ route }) => route.id);
  }

  it('reads one deployment of an account with a wanted notification', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await idsReadOnFocus({ seconds: 31 }), ['dep_1']);
  });

  it('reads no deployment that was read in the last 30 seconds', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await idsReadOnFocus({ seconds: 29 }), []);
  });

  it('reads a deployment again when the clock was set back', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    assert.deepEqual(await idsReadOnFocus({ seconds: -3600 }), ['dep_1']);
  });

  it('reads no deployment while no notification is wanted', async () => {
    assert.deepEqual(await idsReadOnFocus({ seconds: 31 }), []);
  });

  it('reads no deployment while the window keeps the focus', async () => {
    await graph.run('notifyWhenFixed', graph.row('dep_1'));
    time += 31_000;
    const before = platform.requests.length;
    setFocus(true);
    await settle();
    assert.deepEqual(platform.requests.slice(before), []);
  });

  for (const [what, failure] of [
    ['the token is rejected', { kind: 'tokenRejected', status: 401 }],
    ['the platform does not answer', { kind: 'timedOut', after: 1 }],
  ] as const) {
    it(`reads no deployment while ${what}`, async () => {
      const { organizations, store } = graph.services;
      await graph.run('notifyWhenFixed', graph.row('dep_1'));
      const requestedIds: string[] = [];
      const read = async (deploymentId: string) => {
        requestedIds.push(deploymentId);
        throw new ApiError(failure);
      };
      store.setOrganization({ id: organizations.current!.id, read });
      await store.refresh();
      assert.notDeepEqual(requestedIds.splice(0), []);
      await idsReadOnFocus({ seconds: 31 });
      assert.deepEqual(requestedIds, []);
    });
  }
});
