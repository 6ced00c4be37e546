import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { settingKeys } from '../../../src/host/ids.js';
import { Settings } from '../../../src/host/settings.js';
import { writeSetting } from '../../support/window/settings.js';
import { replace } from '../../support/window/windowRecorder.js';

describe('the settings', () => {
  const lines: string[] = [];
  let settings: Settings;
  beforeEach(() => {
    lines.length = 0;
    settings = new Settings({ warnOnce: (line) => lines.push(line) });
  });
  afterEach(() => settings.dispose());

  it('are the defaults of the manifest', () => {
    const file = { uri: vscode.Uri.file('/nowhere.ts'), languageId: 'typescript' };
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
      inlayHints: settings.inlayHints(file),
    };
    const manifest = vscode.workspace.getConfiguration('automationPlatform');
    for (const [key, value] of Object.entries(used))
      assert.equal(value, manifest.inspect(key)?.defaultValue, key);
    // Those that the settings of all scopes make together have classes of their own.
    const others = Object.values(settingKeys).filter((key) => !Object.keys(used).includes(key));
    assert.deepEqual(others, ['deployments', 'owners', 'mutes']);
    assert.deepEqual(lines, []);
  });

  for (const [key, minimum, maximum, fallback, read] of [
    ['refreshInterval', 0, 1440, 5, () => settings.refreshInterval],
    ['requestTimeout', 1, 600, 30, () => settings.requestTimeout / 1000],
    ['maxConcurrentRequests', 1, 64, 8, () => settings.maxConcurrentRequests],
  ] as const) {
    for (const value of [minimum, maximum]) {
      it(`are used at their bounds: ${key} ${value}`, async () => {
        await writeSetting(`automationPlatform.${key}`, value);
        assert.equal(read(), value);
        assert.deepEqual(lines, []);
      });
    }

    const malformed = key === 'refreshInterval' ? [1.5, '30'] : [];
    for (const value of [minimum - 1, maximum + 1, ...malformed]) {
      it(`have the default and are logged when invalid: ${key} ${JSON.stringify(value)}`, async () => {
        await writeSetting(`automationPlatform.${key}`, value);
        assert.equal(read(), fallback);
        const line = `The setting automationPlatform.${key} has an invalid value; ${fallback} is used instead.`;
        assert.deepEqual(lines, [line]);
      });
    }
  }

  describe('in a remote window that hides their source', () => {
    // As an old fork of VS Code does.
    const remote = { remoteName: 'dev-container', version: '1.105.1' };
    const values = new Map<string, unknown>([
      ['baseUrl', 'https://whose.example/api/v1'],
      ['requestTimeout', 12],
    ]);
    const configuration = { inspect: (key: string) => ({ globalValue: values.get(key) }) };

    beforeEach(() => {
      replace(vscode.workspace, { getConfiguration: () => configuration });
      settings.dispose();
      settings = new Settings({ warnOnce: (line) => lines.push(line) }, remote);
    });

    it('have no base URL, which is logged', () => {
      assert.equal(settings.baseUrl, '');
      assert.deepEqual(lines, [
        'The setting automationPlatform.baseUrl is not used in this remote window: this editor does not say whether it is yours or the remote machine’s.',
      ]);
    });

    it('have the default, unlogged, when unset', () => {
      assert.equal(settings.dashboardUrl, '');
      assert.deepEqual(lines, []);
    });

    it('have a request timeout within its bounds', () => {
      assert.equal(settings.requestTimeout, 12_000);
    });
  });

  for (const value of ['no', 0]) {
    it(`are on and are logged when neither on nor off: ${JSON.stringify(value)}`, async () => {
      await writeSetting('automationPlatform.statusBar.enabled', value);
      assert.equal(settings.statusBarEnabled, true);
      const line =
        'The setting automationPlatform.statusBar.enabled has an invalid value; true is used instead.';
      assert.deepEqual(lines, [line]);
    });
  }

  it('are off when turned off', async () => {
    await writeSetting('automationPlatform.statusBar.enabled', false);
    assert.equal(settings.statusBarEnabled, false);
    assert.deepEqual(lines, []);
  });

  it('fire one event for each change', async () => {
    let changes = 0;
    settings.onDidChange(() => {
      changes += 1;
    });
    for (const value of ['no', 0, false])
      await writeSetting('automationPlatform.statusBar.enabled', value);
    assert.equal(changes, 3);
  });
});
