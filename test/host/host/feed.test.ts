import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError, type Failure } from '../../../src/api/failure.js';
import { feedStore, watchRefreshSituation } from '../../../src/host/feed.js';
import { systemClock } from '../../../src/model/base/time.js';
import { ProblemMemory } from '../../../src/model/problems/problemMemory.js';
import { MemoryState } from '../../support/memoryState.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };

const refused = (failure: Failure) => () => Promise.reject(new ApiError(failure));

describe('feedStore()', () => {
  let graph: Graph;
  beforeEach(() => {
    graph = createGraph();
  });

  it('restarts the schedule for another server or token only, and forgets the installs and problems of an organization on sign-out', async () => {
    const { organizations, installs } = graph.services;
    let restarts = 0;
    let remembered: Iterable<string> = [];
    const { log } = graph.services;
    const memory = Object.assign(new ProblemMemory({ ...systemClock, state: new MemoryState(), log }), {
      keepOrganizations: (ids: Iterable<string>) => void (remembered = ids),
    });
    const feed = feedStore({ ...graph.services, memory }, () => restarts++);
    const { id } = await organizations.signIn(acme);
    await organizations.setSessionToken(id, 'ses-1234567890');
    await organizations.use(id);
    assert.equal(restarts, 1);
    await organizations.signIn({ ...acme, token: 'tok-0987654321' });
    assert.equal(restarts, 2);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    for (const one of [id, other.id]) installs.add(one, one, { value: {}, decodeIssues: [], sentAt: 0, sequence: 0 });
    await organizations.signOut(id);
    const [kept, ...others] = installs.installs;
    assert.deepEqual([kept?.organizationId, others], [other.id, []]);
    assert.deepEqual([...remembered], ['environment', other.id]);
    feed.dispose();
  });

  it('watchRefreshSituation() passes on what the schedule depends on, now and after each change', async () => {
    const { organizations } = graph.services;
    const looked = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const focused = new vscode.EventEmitter<vscode.WindowState>();
    const view = { visible: false, onDidChangeVisibility: looked.event };
    const window = { state: { focused: true, active: true }, onDidChangeWindowState: focused.event };
    let passedOn: unknown;
    const watch = watchRefreshSituation(graph.services, view, (situation) => (passedOn = situation), window);
    const first = { focused: true, viewVisible: false, signedIn: false, listed: [], failing: undefined };
    const always = { intervalMinutes: 5, statusBar: true, paused: false };
    assert.deepEqual(passedOn, { ...always, ...first, badge: true });
    const { id } = await organizations.signIn(acme);
    await writeSetting('automationPlatform.badge.enabled', false);
    await writeSetting('automationPlatform.deployments', ['dep_1', { id: 'dep_2' }]);
    window.state = { focused: false, active: false };
    focused.fire(window.state);
    view.visible = true;
    looked.fire(view);
    const since = { focused: false, viewVisible: true, signedIn: true, listed: ['dep_1', 'dep_2'], badge: false };
    const { store } = graph.services;
    store.setListed([{ id: 'dep_1' }]);
    for (const [failure, failing] of [
      [{ kind: 'timedOut', after: 1 }, 'probe'],
      [{ kind: 'tokenRejected', status: 401 }, 'rejected'],
      [{ kind: 'notFound', status: 404 }, undefined],
    ] as const) {
      store.setOrganization({ id, read: refused(failure) });
      await store.refresh();
      assert.deepEqual(passedOn, { ...always, ...since, failing });
    }
    watch.dispose();
  });
});
