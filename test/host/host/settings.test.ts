import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { extensionId } from '../../../src/host/ids.js';
import { diagnosticLevels, integerSettings, Settings } from '../../../src/host/settings.js';
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

interface Property {
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}
interface Manifest {
  readonly contributes: {
    readonly configuration: readonly { readonly properties: Readonly<Record<string, Property>> }[];
  };
}

function propertiesOf({ contributes }: Manifest): Readonly<Record<string, Property>> {
  return Object.fromEntries(contributes.configuration.flatMap(({ properties }) => Object.entries(properties)));
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
    const properties = propertiesOf(vscode.extensions.getExtension(extensionId)!.packageJSON);
    for (const setting of Object.values(integerSettings)) {
      const { minimum, maximum, default: fallback } = properties[`automationPlatform.${setting.key}`]!;
      assert.deepEqual({ key: setting.key, default: fallback, minimum, maximum }, setting);
    }
    assert.deepEqual(properties['automationPlatform.diagnostics.failedAccounts']!.enum, diagnosticLevels);
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
      ['', 5, 30_000, 8, true, true, false, 'error', 'warning'],
    );
    assert.deepEqual(lines, []);
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
      'The setting automationPlatform.requestTimeout is not a whole number from 1 to 600; 30 is used instead.',
      'The setting automationPlatform.maxConcurrentRequests is not a whole number from 1 to 64; 8 is used instead.',
      'The setting automationPlatform.statusBar.enabled is neither true nor false; true is used instead.',
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
    assert.equal(settings.failedAccounts(inside), 'error');
    assert.match(lines.join(), /diagnostics\.failedAccounts is none of error, warning/);
  });

  it('of the user alone count for where and how requests are sent', async () => {
    for (const key of ['baseUrl', 'requestTimeout', 'maxConcurrentRequests']) {
      await assert.rejects(write(key, 1, Workspace), key);
    }
  });
});
