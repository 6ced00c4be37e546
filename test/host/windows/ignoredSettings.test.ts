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

/** `listed`: by the user's own settings. */
function ignoredSettings(listed: readonly string[] = []) {
  const changed = new vscode.EventEmitter<void>();
  const list = { listed: listed.map((id) => ({ id })), onDidChange: changed.event };
  const made = new IgnoredSettings(list);
  atEndOfTest(() => made.dispose());
  const become = (ids: readonly string[]) => {
    list.listed = ids.map((id) => ({ id }));
    changed.fire();
  };
  return { settings: made, become };
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
      replace(vscode.workspace, {
        createFileSystemWatcher: (pattern: unknown) => watched.push(pattern),
      });
      const { settings } = ignoredSettings();
      // Longer than the file takes.
      await vscode.workspace.fs.readFile(file);
      assert.deepEqual([settings.current, settings.isRead, watched], [{}, true, []]);
    });
    return;
  }

  it('are counted, and named by their files', async () => {
    const { settings } = ignoredSettings();
    await until('the count', () => settings.current.deployments !== undefined);
    assert.deepEqual(settings.current, all);
  });

  it('are unknown until the files have been read', async () => {
    const { settings } = ignoredSettings();
    const atFirst = settings.isRead;
    await until('the first read', () => settings.isRead);
    assert.equal(atFirst, false);
  });

  it('are without what the user lists, too, also when that changes later', async () => {
    const { settings, become } = ignoredSettings(['folder', 'workspace']);
    await until('the first read', () => settings.isRead);
    const ofUser = settings.current;
    become(['folder']);
    const isOtherCounted = () => (settings.current.deployments?.count ?? 0) === files.length - 1;
    await until('the count without one', isOtherCounted);
    become([]);
    await until('the count of all', () => settings.current.deployments?.count === files.length);
    assert.deepEqual(ofUser, { owners: { count: 1, files } });
  });

  it('are a list without a number in a file that is too large to be read', async () => {
    const before = await vscode.workspace.fs.readFile(file);
    atEndOfTest(() => vscode.workspace.fs.writeFile(file, before));
    const { settings } = ignoredSettings();
    await until('the first read', () => settings.isRead);
    const comment = `// ${'x'.repeat(1024 * 1024)}\n`;
    await vscode.workspace.fs.writeFile(file, Buffer.concat([Buffer.from(comment), before]));
    await until(
      'the number to be unknown',
      () => settings.current.deployments?.count === undefined,
      () => settings.current,
    );
    assert.deepEqual(settings.current.deployments?.files.toSorted(), files.toSorted());
  });

  it('are counted again when a file changes', async () => {
    const before = await vscode.workspace.fs.readFile(file);
    atEndOfTest(() => vscode.workspace.fs.writeFile(file, before));
    const { settings } = ignoredSettings();
    const counts: unknown[] = [];
    settings.onDidChange(() => counts.push(settings.current.deployments?.count));
    await until('the count', () => counts.at(-1) === files.length);
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from('{ "automationPlatform.deployments": ["a", "b", "c"] }'),
    );
    await until(
      'the new count',
      () => counts.at(-1) === files.length + 2,
      () => counts,
    );
  });
});
