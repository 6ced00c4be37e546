import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Settings } from '../../../src/host/settings.js';
import { silentLog } from './silentLog.js';

const { Global, Workspace } = vscode.ConfigurationTarget;

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
    for (const key of ['refreshInterval', 'requestTimeout', 'maxConcurrentRequests', 'statusBar.enabled']) {
      await write(key, undefined);
    }
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
    for (const [key, minimum, maximum, fallback, read] of [
      ['refreshInterval', 0, 1440, 5, () => settings.refreshInterval],
      ['requestTimeout', 1, 600, 30, () => settings.requestTimeout / 1000],
      ['maxConcurrentRequests', 1, 64, 8, () => settings.maxConcurrentRequests],
    ] as const) {
      for (const good of [minimum, maximum]) {
        await write(key, good);
        assert.equal(read(), good);
      }
      assert.deepEqual(lines, []);
      for (const bad of [minimum - 1, maximum + 1, 1.5, '30']) {
        await write(key, bad);
        assert.equal(read(), fallback, `${key} ${bad}`);
        const line = `The setting automationPlatform.${key} has an invalid value; ${fallback} is used instead.`;
        assert.deepEqual(lines.splice(0), [line]);
      }
    }
  });

  it('are on or off, and the log says each wrong value once', async () => {
    let changes = 0;
    settings.onDidChange(() => changes++);
    // As where two folders have different ones and are asked in turn.
    for (const value of ['no', 0, 'no']) {
      await write('statusBar.enabled', value);
      assert.equal(settings.statusBarEnabled, true);
    }
    assert.equal(lines.length, 2);
    await write('statusBar.enabled', false);
    assert.deepEqual([settings.statusBarEnabled, changes], [false, 4]);
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
