import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Settings, settingShapes } from '../../../src/host/settings.js';
import { silentLog } from './silentLog.js';

const { Global, Workspace } = vscode.ConfigurationTarget;
const changed = [
  'refreshInterval',
  'requestTimeout',
  'maxConcurrentRequests',
  'baseUrl',
  'statusBar.enabled',
  'diagnostics.failedAccounts',
];

async function write(key: string, value: unknown, target = Global): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

describe('settings as they count', () => {
  const lines: string[] = [];
  const log = { ...silentLog, warn: (line: string) => lines.push(line) };
  let settings: Settings;
  beforeEach(() => {
    lines.length = 0;
    settings = new Settings(log);
  });
  afterEach(async () => {
    settings.dispose();
    for (const key of changed) await write(key, undefined);
    await write('diagnostics.failedAccounts', undefined, Workspace);
  });

  it('are the defaults of the manifest', () => {
    for (const { key, fallback } of Object.values(settingShapes)) {
      assert.equal(fallback, vscode.workspace.getConfiguration('automationPlatform').inspect(key)?.defaultValue, key);
    }
    const file = vscode.Uri.file('/nowhere.ts');
    assert.deepEqual(
      [
        settings.baseUrl,
        settings.refreshInterval,
        settings.requestTimeout,
        settings.maxConcurrentRequests,
        settings.statusBarEnabled,
        settings.badgeEnabled,
        settings.notifyNewProblems,
        settings.failedAccounts(file),
        settings.unsatisfiedRequirements(file),
      ],
      ['', 5, 30_000, 8, true, true, false, 'warning', 'information'],
    );
    assert.deepEqual(lines, []);
  });

  it('are whole numbers within their bounds', () => {
    const { refreshInterval, requestTimeout, maxConcurrentRequests } = settingShapes;
    for (const [{ key, read }, minimum, maximum] of [
      [refreshInterval, 0, 1440],
      [requestTimeout, 1, 600],
      [maxConcurrentRequests, 1, 64],
    ] as const) {
      for (const good of [minimum, maximum]) assert.equal(read(good), good);
      for (const bad of [minimum - 1, maximum + 1, 1.5, '30', null, [], Number.NaN, 1e308]) {
        assert.equal(read(bad), undefined, `${key} ${String(bad)}`);
      }
    }
  });

  it('follow a change', async () => {
    let changes = 0;
    settings.onDidChange(() => changes++);
    assert.equal(settings.refreshInterval, 5);
    await write('refreshInterval', 0);
    await write('requestTimeout', 600);
    assert.deepEqual([settings.refreshInterval, settings.requestTimeout, changes], [0, 600_000, 2]);
  });

  it('are the default if out of range, and the log says so once', async () => {
    await write('requestTimeout', 601);
    await write('maxConcurrentRequests', 'many');
    await write('statusBar.enabled', 'no');
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(
        [settings.requestTimeout, settings.maxConcurrentRequests, settings.statusBarEnabled],
        [30_000, 8, true],
      );
    }
    assert.deepEqual(lines, [
      'The setting automationPlatform.requestTimeout has an invalid value; 30 is used instead.',
      'The setting automationPlatform.maxConcurrentRequests has an invalid value; 8 is used instead.',
      'The setting automationPlatform.statusBar.enabled has an invalid value; true is used instead.',
    ]);
    // Another wrong value is news; one that was said already is not, as where two folders have different ones.
    for (const value of [0, 601, 0]) {
      await write('requestTimeout', value);
      assert.equal(settings.requestTimeout, 30_000);
    }
    assert.equal(lines.length, 4);
  });

  it('of editors depend on the file', async () => {
    const inside = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'a.ts');
    await write('diagnostics.failedAccounts', 'hint', Workspace);
    assert.equal(settings.failedAccounts(inside), 'hint');
    await write('diagnostics.failedAccounts', 'loud', Workspace);
    assert.equal(settings.failedAccounts(inside), 'warning');
    assert.match(lines.join(), /diagnostics\.failedAccounts has an invalid value; "warning"/);
  });
});
