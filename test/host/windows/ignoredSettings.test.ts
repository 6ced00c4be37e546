import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { IgnoredSettings } from '../../../src/host/list/ignoredSettings.js';
import type { Ignored } from '../../../src/model/entered/ignoredEntries.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { foreignWindow } from '../../support/window/foreignWindow.js';
import { replace } from '../../support/window/windowRecorder.js';

const window = foreignWindow();
const folder = vscode.workspace.workspaceFolders![0]!.uri;

function ignoredSettings(): IgnoredSettings {
  const made = new IgnoredSettings();
  atEndOfTest(() => made.dispose());
  return made;
}

describe(`the settings that an untrusted workspace has, in ${window.name},`, () => {
  const file = vscode.Uri.joinPath(folder, '.vscode', 'settings.json');
  const files = window.hasWorkspaceFile
    ? ['workspace/.vscode/settings.json', 'acme.code-workspace']
    : ['.vscode/settings.json'];
  const all: Ignored = { deployments: { count: files.length, files }, owners: { count: 1, files } };

  if (window.isTrusted) {
    it('are not looked for', async () => {
      const watched: unknown[] = [];
      replace(vscode.workspace, { createFileSystemWatcher: (pattern: unknown) => watched.push(pattern) });
      const settings = ignoredSettings();
      // Longer than the file takes.
      await vscode.workspace.fs.readFile(file);
      assert.deepEqual([settings.current, watched], [{}, []]);
    });
    return;
  }

  it('are counted, and named by their files', async () => {
    const settings = ignoredSettings();
    await until('the count', () => settings.current.deployments !== undefined);
    assert.deepEqual(settings.current, all);
  });

  it('are counted again when a file changes', async () => {
    const before = await vscode.workspace.fs.readFile(file);
    atEndOfTest(() => vscode.workspace.fs.writeFile(file, before));
    const settings = ignoredSettings();
    const counts: unknown[] = [];
    settings.onDidChange(() => counts.push(settings.current.deployments?.count));
    await until('the count', () => counts.at(-1) === files.length);
    await vscode.workspace.fs.writeFile(file, Buffer.from('{ "automationPlatform.deployments": ["a", "b", "c"] }'));
    await until(
      'the new count',
      () => counts.at(-1) === files.length + 2,
      () => counts,
    );
  });
});
