import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { settingKeys } from '../../../src/host/ids.js';
import { Settings } from '../../../src/host/settings.js';
import { writeSetting } from '../../support/window/settings.js';
import { replace } from '../../support/window/windowRecorder.js';

describe('settings', () => {
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
    const others = Object.values(settingKeys).filter((key) => !Object.keys(used).includes(key));
    assert.deepEqual(
      others,
      ['deployments', 'owners'],
      'what all scopes set together has its own place',
    );
    const manifest = vscode.workspace.getConfiguration('automationPlatform');
    for (const [key, value] of Object.entries(used))
      assert.equal(value, manifest.inspect(key)?.defaultValue, key);
    assert.deepEqual(lines, []);
  });

  for (const [key, minimum, maximum, fallback, read] of [
    ['refreshInterval', 0, 1440, 5, () => settings.refreshInterval],
    ['requestTimeout', 1, 600, 30, () => settings.requestTimeout / 1000],
    ['maxConcurrentRequests', 1, 64, 8, () => settings.maxConcurrentRequests],
  ] as const) {
    it(`that are no whole number within their bounds have the default, which the log says: ${key}`, async () => {
      const others = key === 'refreshInterval' ? [1.5, '30'] : [];
      for (const value of [minimum, maximum, minimum - 1, maximum + 1, ...others]) {
        const isGood = value === minimum || value === maximum;
        await writeSetting(`automationPlatform.${key}`, value);
        assert.equal(read(), isGood ? value : fallback, String(value));
        const line = `The setting automationPlatform.${key} has an invalid value; ${fallback} is used instead.`;
        assert.deepEqual(lines.splice(0), isGood ? [] : [line]);
      }
    });
  }

  describe('in a remote window of an old fork that does not say whose a value is', () => {
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

    it('do not lead to a base URL, which the log says', () => {
      assert.equal(settings.baseUrl, '');
      assert.deepEqual(lines, [
        'The setting automationPlatform.baseUrl is not used in this remote window: this editor does not say whether it is yours or the remote machine’s.',
      ]);
    });

    it('have the default without a word where nothing is set', () => {
      assert.equal(settings.dashboardUrl, '');
      assert.deepEqual(lines, []);
    });

    it('lead to a time-out within its bounds', () => {
      assert.equal(settings.requestTimeout, 12_000);
    });
  });

  it('are on or off, else the default, which the log says', async () => {
    let changes = 0;
    settings.onDidChange(() => changes++);
    for (const value of ['no', 0, false]) {
      await writeSetting('automationPlatform.statusBar.enabled', value);
      assert.equal(settings.statusBarEnabled, value !== false);
    }
    assert.deepEqual([lines.length, changes], [2, 3]);
  });
});
