import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Settings } from '../../../src/host/settings.js';
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
    const file = vscode.Uri.file('/nowhere.ts');
    const used = {
      baseUrl: settings.baseUrl,
      refreshInterval: settings.refreshInterval,
      requestTimeout: settings.requestTimeout / 1000,
      maxConcurrentRequests: settings.maxConcurrentRequests,
      dashboardUrl: settings.dashboardUrl,
      'statusBar.enabled': settings.statusBarEnabled,
      'badge.enabled': settings.badgeEnabled,
      'notifications.newProblems': settings.notifyNewProblems,
      'diagnostics.failedAccounts': settings.failedAccounts(file),
      'diagnostics.unsatisfiedRequirements': settings.unsatisfiedRequirements(file),
    };
    const manifest = vscode.workspace.getConfiguration('automationPlatform');
    for (const [key, value] of Object.entries(used)) assert.equal(value, manifest.inspect(key)?.defaultValue, key);
    assert.deepEqual(lines, []);
  });

  it('are whole numbers within their bounds, else the default, and the log says so', async () => {
    for (const [key, minimum, maximum, read] of [
      ['refreshInterval', 0, 1440, () => settings.refreshInterval],
      ['requestTimeout', 1, 600, () => settings.requestTimeout / 1000],
      ['maxConcurrentRequests', 1, 64, () => settings.maxConcurrentRequests],
    ] as const) {
      const fallback = read();
      for (const good of [minimum, maximum]) {
        await write(key, good);
        assert.equal(read(), good);
      }
      assert.deepEqual(lines, []);
      for (const bad of [minimum - 1, maximum + 1, 1.5, '30']) {
        await write(key, bad);
        assert.equal(read(), fallback, `${key} ${bad}`);
        assert.match(
          lines.pop() ?? '',
          new RegExp(`automationPlatform\\.${key} has an invalid value; ${fallback} is used`),
        );
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
