import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { feedStore, watchRefreshSituation } from '../../../src/host/feed.js';
import { type SeenRecord, SeenSince } from '../../../src/model/problems/seenSince.js';
import type { RefreshSituation } from '../../../src/model/schedule.js';
import { createGraph, type Graph } from '../commands/graph.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };

describe('what the store is told', () => {
  let graph: Graph;
  let saved: SeenRecord[];
  let seen: SeenSince;
  beforeEach(() => {
    graph = createGraph();
    saved = [];
    seen = new SeenSince({ initial: {}, save: (record) => saved.push(record) });
  });
  afterEach(() => graph.dispose());

  const see = (organizationId: string, at: number) => {
    const answer = seen.answer(organizationId, 'dep_1', at);
    answer.see('problem');
    answer.end();
  };
  const kept = () => saved.map((record) => Object.values(record));

  it('lets a sign-out take away at once what was remembered of the organization', async () => {
    const { organizations, installs } = graph.services;
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    const feed = feedStore(graph.services, [seen], () => undefined);
    for (const [at, one] of [id, other.id].entries()) {
      see(one, at);
      installs.add(`token ${at}`, one, { value: {}, decodeIssues: [], receivedAt: 0 });
    }
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
    it(`in a workspace that was closed when somebody signed out: ${state}`, async () => {
      const { services, secrets } = graph;
      for (const [at, id] of ['signed-out', 'here', 'lost', 'environment'].entries()) {
        see(id, at);
      }
      secrets.shared.values.set('organizations', '["here","lost"]');
      secrets.shared.values.set('organization.here', JSON.stringify(acme));
      secrets.refusal = refusal;
      const feed = feedStore(services, [seen], () => undefined);
      await services.organizations.ready;
      feed.dispose();
      assert.deepEqual(kept(), expected);
    });
  }
});

describe('what the editor knows', () => {
  const { Global } = vscode.ConfigurationTarget;
  const write = async (key: string, value: unknown): Promise<void> =>
    vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, Global);

  it('reaches the schedule, now and after each change', async () => {
    const graph = createGraph();
    const { services } = graph;
    const { organizations } = services;
    const looked = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
    const focused = new vscode.EventEmitter<vscode.WindowState>();
    const view = { visible: false, onDidChangeVisibility: looked.event };
    const window = { state: { focused: true, active: true }, onDidChangeWindowState: focused.event };
    const told: Omit<RefreshSituation, 'mentioned'>[] = [];
    const watch = watchRefreshSituation(services, view, (situation) => told.push(situation), window);
    const atFirst = {
      signedIn: false,
      intervalMinutes: 5,
      focused: true,
      viewVisible: false,
      statusBar: true,
      badge: true,
      listed: [],
    };
    try {
      assert.deepEqual(told, [atFirst]);
      const { id } = await organizations.signIn(acme);
      assert.deepEqual(told.at(-1), { ...atFirst, signedIn: true });
      await organizations.signOut(id);
      assert.deepEqual(told.at(-1), atFirst);
      window.state = { focused: false, active: false };
      focused.fire(window.state);
      assert.deepEqual(told.at(-1), { ...atFirst, focused: false });
      view.visible = true;
      looked.fire(view);
      assert.deepEqual(told.at(-1), { ...atFirst, focused: false, viewVisible: true });
      await write('refreshInterval', 7);
      await write('statusBar.enabled', false);
      await write('deployments', ['dep_1', { id: 'dep_2' }]);
      const listed = ['dep_1', 'dep_2'];
      const now = { ...atFirst, focused: false, viewVisible: true, intervalMinutes: 7, statusBar: false, listed };
      assert.deepEqual(told.at(-1), now);
      await write('badge.enabled', false);
      assert.deepEqual(told.at(-1), { ...now, badge: false });
    } finally {
      watch.dispose();
      await graph.dispose();
      for (const key of ['refreshInterval', 'statusBar.enabled', 'badge.enabled', 'deployments']) {
        await write(key, undefined);
      }
    }
  });
});
