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

/** The ignored settings beside user settings that list these IDs, and a function that changes that list. */
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

describe(`ignored settings in ${window.name}`, () => {
  const file = vscode.Uri.joinPath(folder, '.vscode', 'settings.json');
  const files = window.hasWorkspaceFile
    ? ['workspace/.vscode/settings.json', 'acme.code-workspace']
    : ['.vscode/settings.json'];
  const owners = { count: 1, files };
  const mutes = { count: files.length, files };
  const all: Ignored = { deployments: { count: files.length, files }, owners, mutes };

  if (window.isTrusted) {
    const watch = async () => {
      const watched: unknown[] = [];
      replace(vscode.workspace, {
        createFileSystemWatcher: (pattern: unknown) => watched.push(pattern),
      });
      const { settings } = ignoredSettings();
      // Longer than the file takes.
      await vscode.workspace.fs.readFile(file);
      return { settings, watched };
    };

    it('are none', async () => {
      const { settings } = await watch();
      assert.deepEqual(settings.current, {});
      assert.equal(settings.isRead, true);
    });

    it('are not watched', async () => {
      const { watched } = await watch();
      assert.deepEqual(watched, []);
    });
    return;
  }

  it('are counted with their files', async () => {
    const { settings } = ignoredSettings();
    await until('the count', () => settings.current.deployments !== undefined);
    assert.deepEqual(settings.current, all);
  });

  it('are unknown until the files were read', async () => {
    const { settings } = ignoredSettings();
    assert.equal(settings.isRead, false);
    await until('the first read', () => settings.isRead);
  });

  it('do not count deployments that user settings list', async () => {
    const { settings } = ignoredSettings(['folder', 'workspace']);
    await until('the first read', () => settings.isRead);
    assert.deepEqual(settings.current, { owners, mutes });
  });

  it('are counted again when user settings change', async () => {
    const { settings, become } = ignoredSettings(['folder', 'workspace']);
    await until('the first read', () => settings.isRead);
    const count = () => settings.current.deployments?.count ?? 0;
    assert.equal(count(), 0);

    become(['folder']);
    await until('the count without one', () => count() === files.length - 1, count);
    become([]);
    await until('the count of all', () => count() === files.length, count);
  });

  it('have no number when a file is too large to be read', async () => {
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
