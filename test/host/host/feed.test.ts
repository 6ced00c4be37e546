import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { feedStore, watchRefreshSituation } from '../../../src/host/feed.js';
import { type SeenRecord, SeenSince } from '../../../src/model/problems/seenSince.js';
import type { RefreshSituation } from '../../../src/model/schedule.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { restoreSettings, writeSetting } from './writeSetting.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };

describe('what the editor knows', () => {
  let graph: Graph;
  let saved: SeenRecord[];
  let seen: SeenSince;
  beforeEach(() => {
    graph = createGraph();
    saved = [];
    seen = new SeenSince({ initial: {}, save: (record) => saved.push(record) });
  });
  afterEach(() => graph.dispose());

  /** Each was seen at its place in the list. */
  const see = (organizationIds: readonly string[]) => {
    for (const [at, id] of organizationIds.entries()) {
      const answer = seen.answer(id, 'dep_1', at);
      answer.see('problem');
      answer.end();
    }
  };
  const kept = () => saved.map((record) => Object.values(record));

  it('lets a sign-out take away at once what was remembered of the organization', async () => {
    const { organizations, installs } = graph.services;
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    const feed = feedStore(graph.services, [seen], () => undefined);
    for (const one of [id, other.id]) installs.add(one, one, { value: {}, decodeIssues: [], receivedAt: 0 });
    see([id, other.id]);
    seen.flush();
    await organizations.signOut(id);
    feed.dispose();
    assert.deepEqual(kept(), [[0, 1], [1]]);
    assert.deepEqual(
      installs.installs.map(({ organizationId }) => organizationId),
      [other.id],
    );
  });

  for (const [state, refusal, expected] of [
    ['takes away what was remembered of that organization, and of no other', undefined, [[1, 2, 3]]],
    ['takes nothing away while the keyring cannot be read', new Error('locked'), []],
  ] as const) {
    it(`in a workspace that was closed when somebody signed out ${state}`, async () => {
      const { services, secrets } = graph;
      see(['signed-out', 'here', 'lost', 'environment']);
      secrets.shared.values.set('organizations', '["here","lost"]');
      secrets.shared.values.set('organization.here', JSON.stringify(acme));
      secrets.refusal = refusal;
      const feed = feedStore(services, [seen], () => undefined);
      await services.organizations.ready;
      feed.dispose();
      assert.deepEqual(kept(), expected);
    });
  }

  it('starts the rounds anew for another server or token, and for no other change', async () => {
    const { organizations } = graph.services;
    let restarts = 0;
    const feed = feedStore(graph.services, [], () => restarts++);
    const { id } = await organizations.signIn(acme);
    await organizations.setSessionToken(id, 'ses-1234567890');
    await organizations.use(id);
    assert.equal(restarts, 1);
    await organizations.signIn({ ...acme, token: 'tok-0987654321' });
    assert.equal(restarts, 2);
    feed.dispose();
  });

  it('reaches the schedule, now and after each change', async () => {
    const { organizations } = graph.services;
    const looked = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const focused = new vscode.EventEmitter<vscode.WindowState>();
    const view = { visible: false, onDidChangeVisibility: looked.event };
    const window = { state: { focused: true, active: true }, onDidChangeWindowState: focused.event };
    const told: Omit<RefreshSituation, 'mentioned'>[] = [];
    const watch = watchRefreshSituation(graph.services, view, (situation) => told.push(situation), window);
    let now = {
      signedIn: false,
      intervalMinutes: 5,
      focused: true,
      viewVisible: false,
      statusBar: true,
      badge: true,
      listed: [] as string[],
    };
    const isTold = (changed: Partial<typeof now>) => {
      now = { ...now, ...changed };
      assert.deepEqual(told.at(-1), now);
    };
    try {
      isTold({});
      const { id } = await organizations.signIn(acme);
      isTold({ signedIn: true });
      await organizations.signOut(id);
      isTold({ signedIn: false });
      window.state = { focused: false, active: false };
      focused.fire(window.state);
      isTold({ focused: false });
      view.visible = true;
      looked.fire(view);
      isTold({ viewVisible: true });
      await writeSetting('automationPlatform.refreshInterval', 7);
      await writeSetting('automationPlatform.statusBar.enabled', false);
      await writeSetting('automationPlatform.deployments', ['dep_1', { id: 'dep_2' }]);
      isTold({ intervalMinutes: 7, statusBar: false, listed: ['dep_1', 'dep_2'] });
      await writeSetting('automationPlatform.badge.enabled', false);
      isTold({ badge: false });
    } finally {
      watch.dispose();
      await restoreSettings();
    }
  });
});
