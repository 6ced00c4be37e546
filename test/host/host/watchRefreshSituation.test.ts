import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { watchRefreshSituation } from '../../../src/host/feed.js';
import type { Organization } from '../../../src/host/organizations/organization.js';
import { Settings } from '../../../src/host/settings.js';
import { Schedule } from '../../../src/model/schedule.js';
import { ManualClock, turn } from '../../unit/model/manualClock.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { silentLog } from './silentLog.js';

const { Global } = vscode.ConfigurationTarget;
const minute = 60_000;

async function write(key: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, Global);
}

/** Something that is so or not, and tells when it changes. */
function told<T>(value: T) {
  const changed = new vscode.EventEmitter<T>();
  return {
    value,
    event: changed.event,
    set(now: T) {
      this.value = now;
      changed.fire(now);
    },
  };
}

describe('what the editor knows', () => {
  let graph: Graph;
  let organization: Organization;
  let clock: ManualClock;
  let rounds: string[];
  let visible: ReturnType<typeof told<boolean>>;
  let window: ReturnType<typeof told<vscode.WindowState>>;
  let listed: ReturnType<typeof told<readonly string[]>>;
  let owned: vscode.Disposable[];

  beforeEach(async () => {
    await write('refreshInterval', 5);
    graph = createGraph();
    clock = new ManualClock();
    rounds = [];
    visible = told(false);
    window = told<vscode.WindowState>({ focused: true, active: true });
    listed = told<readonly string[]>(['dep_1', 'dep_2']);
    const settings = new Settings(silentLog);
    const read = new Map<string, number>();
    const started = clock.now();
    const schedule = new Schedule({
      now: clock.now,
      setTimer: clock.setTimer,
      lastRead: (id) => read.get(id),
      run: async (ids) => {
        rounds.push(`${ids.join(' ')} at ${(clock.now() - started) / minute}`);
        for (const id of ids) read.set(id, clock.now());
      },
    });
    const deploymentList = {
      onDidChange: (listener: () => void) => listed.event(listener),
      get listed() {
        return listed.value.map((id) => ({ id }));
      },
    };
    const view = {
      get visible() {
        return visible.value;
      },
      onDidChangeVisibility: (listener: (event: vscode.TreeViewVisibilityChangeEvent) => void) =>
        visible.event((now) => listener({ visible: now })),
    };
    const ourWindow = {
      get state() {
        return window.value;
      },
      onDidChangeWindowState: window.event,
    };
    const { organizations } = graph.services;
    organization = await organizations.signIn({
      name: 'Acme',
      baseUrl: 'https://host.example/api/v1',
      token: 'tok-1234567890',
    });
    const watch = watchRefreshSituation(
      { organizations, settings, deploymentList },
      view,
      (change) => schedule.update(change),
      ourWindow,
    );
    owned = [watch, schedule, settings];
  });
  afterEach(async () => {
    for (const one of owned) one.dispose();
    await graph.dispose();
    for (const key of ['refreshInterval', 'statusBar.enabled', 'badge.enabled']) await write(key, undefined);
  });

  /** The rounds of the next minutes. */
  async function pass(minutes: number): Promise<string[]> {
    rounds.length = 0;
    await turn();
    for (let passed = 0; passed < minutes; passed++) {
      clock.pass(minute);
      await turn();
    }
    return rounds;
  }

  it('starts the first round when all is known, and the next after the interval that the setting says', async () => {
    assert.deepEqual(rounds, ['dep_1 dep_2 at 0']);
    await write('refreshInterval', 2);
    assert.deepEqual(await pass(3), ['dep_1 dep_2 at 2']);
    await write('refreshInterval', 0);
    assert.deepEqual(await pass(60), []);
  });

  it('rests while the window is not focused, and catches up when it is', async () => {
    window.set({ focused: false, active: false });
    assert.deepEqual(await pass(20), []);
    window.set({ focused: true, active: true });
    assert.deepEqual(rounds, ['dep_1 dep_2 at 20']);
  });

  it('reads for the view, the status bar and the badge, and for none of them nothing', async () => {
    await write('statusBar.enabled', false);
    assert.deepEqual(await pass(5), ['dep_1 dep_2 at 5']);
    await write('badge.enabled', false);
    assert.deepEqual(await pass(6), []);
    visible.set(true);
    assert.deepEqual(rounds, ['dep_1 dep_2 at 11']);
    visible.set(false);
    assert.deepEqual(await pass(6), []);
    await write('badge.enabled', undefined);
    assert.deepEqual(rounds, ['dep_1 dep_2 at 17']);
  });

  it('reads what joins the list at once, and nothing of an organization that is gone', async () => {
    listed.set(['dep_1', 'dep_2', 'dep_3']);
    await turn();
    assert.deepEqual(rounds, ['dep_1 dep_2 at 0', 'dep_3 at 0']);
    await graph.services.organizations.signOut(organization.id);
    listed.set(['dep_1', 'dep_2', 'dep_3', 'dep_4']);
    assert.deepEqual(await pass(20), []);
  });
});
