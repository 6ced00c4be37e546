import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { silentLog } from './silentLog.js';

const { Global, Workspace } = vscode.ConfigurationTarget;
const section = 'automationPlatform';

function values() {
  const found = vscode.workspace.getConfiguration(section, null).inspect<unknown>('deployments');
  return { user: found?.globalValue, workspace: found?.workspaceValue };
}

async function write(target: vscode.ConfigurationTarget, value: unknown): Promise<void> {
  // Each write takes VS Code a moment; most tests leave little to clean up.
  if (value === undefined && (target === Global ? values().user : values().workspace) === undefined) return;
  await vscode.workspace.getConfiguration(section, null).update('deployments', value, target);
}

function settingsFile(): vscode.Uri {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.vscode', 'settings.json');
}

describe('the list of deployments in real settings files', () => {
  let list: DeploymentList;
  let lines: string[];
  beforeEach(async () => {
    lines = [];
    list = new DeploymentList({ ...silentLog, warn: (line) => lines.push(line) });
  });
  afterEach(async () => {
    list.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await write(Global, undefined);
    await write(Workspace, undefined);
  });

  it('is that of workspace and user together, each id once, with the first label found', async () => {
    await write(Workspace, ['a', { id: 'b', label: 'workspace b' }]);
    await write(Global, [{ id: 'a', label: 'user a' }, { id: 'b', label: 'user b' }, 'c']);
    assert.deepEqual(list.listed, [{ id: 'a', label: 'user a' }, { id: 'b', label: 'workspace b' }, { id: 'c' }]);
    assert.deepEqual(list.places('a'), [{ target: Workspace }, { target: Global }]);
    assert.deepEqual(list.places('c'), [{ target: Global }]);
    assert.deepEqual(list.places('d'), []);
    assert.equal(list.untrusted, false);
  });

  it('says that it changed', async () => {
    let changes = 0;
    list.onDidChange(() => changes++);
    await write(Workspace, ['a']);
    assert.equal(changes, 1);
    await vscode.workspace.getConfiguration(section).update('refreshInterval', 7, Global);
    await vscode.workspace.getConfiguration(section).update('refreshInterval', undefined, Global);
    assert.equal(changes, 1);
  });

  it('gets additions in the workspace, and keeps what is malformed', async () => {
    await write(Workspace, ['a', 5]);
    await write(Global, ['u']);
    assert.deepEqual(list.addTarget, { target: Workspace });
    assert.deepEqual(await list.add('b', undefined), { target: Workspace });
    assert.deepEqual(await list.add('c', ' C '), { target: Workspace });
    assert.deepEqual(values(), { user: ['u'], workspace: ['a', 5, 'b', { id: 'c', label: 'C' }] });
    assert.deepEqual(list.malformed, [{ place: { target: Workspace }, index: 1, value: 5 }]);
  });

  it('does not list an id twice, and takes the label that was given', async () => {
    await write(Global, ['u']);
    assert.deepEqual(await list.add('u', undefined), { target: Global });
    assert.deepEqual(await list.add('u', 'U'), { target: Global });
    assert.deepEqual(values(), { user: [{ id: 'u', label: 'U' }], workspace: undefined });
    await assert.rejects(list.add(' ', undefined), UserError);
  });

  it('loses no addition to another at the same moment', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => list.add(id, undefined)));
    assert.deepEqual(values().workspace, ['a', 'b', 'c', 'd']);
  });

  it('takes an id out of every scope, and puts it back exactly', async () => {
    const before = { user: ['u', { id: 'a', label: 'A' }], workspace: ['a', null, 'b', 'a'] };
    await write(Global, before.user);
    await write(Workspace, before.workspace);
    const removed = await list.remove(['a', 'u']);
    assert.deepEqual(removed.places, [{ target: Workspace }, { target: Global }]);
    assert.deepEqual(values(), { user: [], workspace: [null, 'b'] });
    await removed.undo();
    assert.deepEqual(values(), before);
  });

  it('keeps what is added to a later scope while an id is taken out of an earlier one', async () => {
    await write(Workspace, ['a']);
    await write(Global, ['a', 'u']);
    // VS Code writes one after the other, so this one is through before anything is taken out of the workspace.
    const adding = write(Global, ['a', 'u', 'added']);
    const removing = list.remove(['a']);
    await adding;
    const removed = await removing;
    assert.deepEqual(values(), { user: ['u', 'added'], workspace: [] });
    await removed.undo();
    assert.deepEqual(values(), { user: ['a', 'u', 'added'], workspace: ['a'] });
  });

  it('writes a label where the one that counts stands', async () => {
    await write(Workspace, ['a', { id: 'b', label: 'B' }]);
    await write(Global, [{ id: 'a', label: 'A' }]);
    assert.deepEqual(await list.setLabel('a', 'New'), { target: Global });
    assert.deepEqual(await list.setLabel('b', undefined), { target: Workspace });
    assert.deepEqual(values(), { user: [{ id: 'a', label: 'New' }], workspace: ['a', 'b'] });
    await assert.rejects(list.setLabel('gone', 'x'), UserError);
  });

  it('says once what is malformed, and names the place', async () => {
    await write(Workspace, ['a', 5, { id: 'b', label: 6 }]);
    await write(Workspace, [5, 'a', 'c']);
    assert.deepEqual(lines, [
      'Entry 2 of automationPlatform.deployments in .vscode/settings.json is neither a deployment id nor { "id", "label"? } and is skipped.',
      'Entry 3 of automationPlatform.deployments in .vscode/settings.json is neither a deployment id nor { "id", "label"? } and is skipped.',
    ]);
    await write(Workspace, [6]);
    assert.equal(lines.length, 3);
  });

  it('does not overwrite a value that is no list', async () => {
    await write(Workspace, 'dep_1');
    assert.deepEqual(list.malformed, [{ place: { target: Workspace }, value: 'dep_1' }]);
    await assert.rejects(
      list.add('a', undefined),
      /automationPlatform\.deployments in \.vscode\/settings\.json is no list/,
    );
    assert.equal(values().workspace, 'dep_1');
  });

  it('names the settings file that has unsaved changes, and changes no other', async () => {
    await write(Workspace, ['a']);
    await write(Global, ['a']);
    const document = await vscode.workspace.openTextDocument(settingsFile());
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
    assert.equal(document.isDirty, true);
    for (const attempt of [() => list.add('b', undefined), () => list.remove(['a']), () => list.setLabel('a', 'A')]) {
      await assert.rejects(attempt(), (error) => {
        assert.ok(error instanceof UserError, String(error));
        assert.match(error.message, /unsaved changes in \.vscode\/settings\.json/);
        assert.equal(error.actions[0]?.command, 'vscode.open');
        return true;
      });
    }
    assert.deepEqual(values(), { user: ['a'], workspace: ['a'] });
  });
});
