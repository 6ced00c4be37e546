import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { DeploymentList, type ListChange } from '../../../src/host/list/deploymentList.js';
import { ListPlace } from '../../../src/host/list/place.js';
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

function targets({ places }: ListChange) {
  return places.map(({ target }) => target);
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

  it('is that of workspace and user together, and says that it changed', async () => {
    let changes = 0;
    list.onDidChange(() => changes++);
    await write(Workspace, ['a', { id: 'b', label: 'workspace b' }]);
    await write(Global, [{ id: 'a', label: 'user a' }, { id: 'b', label: 'user b' }, 'c']);
    assert.deepEqual(list.listed, [{ id: 'a', label: 'user a' }, { id: 'b', label: 'workspace b' }, { id: 'c' }]);
    await vscode.workspace.getConfiguration(section).update('refreshInterval', 7, Global);
    await vscode.workspace.getConfiguration(section).update('refreshInterval', undefined, Global);
    assert.equal(changes, 2);
    assert.equal(list.untrusted, false);
  });

  it('gets additions in the workspace, keeps what is malformed, and loses none to another at the same moment', async () => {
    await write(Workspace, ['a', 5]);
    await write(Global, ['u']);
    const b = [{ id: 'b' }, { id: 'c', label: 'C' }, { id: 'u', label: 'listed already' }];
    const [added] = await Promise.all([list.add(b), list.add([{ id: 'd' }])]);
    assert.deepEqual(values(), { user: ['u'], workspace: ['a', 5, 'b', { id: 'c', label: 'C' }, 'd'] });
    assert.deepEqual(targets(added), [Workspace]);
    await added.undo();
    assert.deepEqual(values(), { user: ['u'], workspace: ['a', 5, 'd'] });
  });

  it('takes an id out of every scope, and puts it back exactly', async () => {
    const before = { user: ['u', { id: 'a', label: 'A' }], workspace: ['a', null, 'b', 'a'] };
    await write(Global, before.user);
    await write(Workspace, before.workspace);
    const removed = await list.remove(['a', 'u']);
    assert.deepEqual(targets(removed), [Workspace, Global]);
    assert.deepEqual(values(), { user: [], workspace: [null, 'b'] });
    await removed.undo();
    assert.deepEqual(values(), before);
  });

  it('keeps what is added to a later scope while an id is taken out of an earlier one', async () => {
    await write(Workspace, ['a']);
    await write(Global, ['a', 'u']);
    // VS Code writes one after the other, so this one is through before anything is taken out of the workspace.
    const adding = write(Global, ['a', 'u', 'added']);
    const removed = await list.remove(['a']);
    await adding;
    assert.deepEqual(values(), { user: ['u', 'added'], workspace: [] });
    await removed.undo();
    assert.deepEqual(values(), { user: ['a', 'u', 'added'], workspace: ['a'] });
  });

  it('changes every scope or, when one of them refuses, none', async () => {
    const before = { user: ['a'], workspace: ['a', 'b'] };
    await write(Workspace, before.workspace);
    await write(Global, before.user);
    const original = Reflect.get(ListPlace.prototype, 'write');
    Reflect.set(ListPlace.prototype, 'write', async function (this: ListPlace, entries: readonly unknown[]) {
      if (this.target === Global) throw new UserError('disk full');
      await original.call(this, entries);
    });
    try {
      await assert.rejects(list.remove(['a']), /disk full/);
    } finally {
      Reflect.set(ListPlace.prototype, 'write', original);
    }
    assert.deepEqual(values(), before);
  });

  it('changes an id in every scope, keeps the labels, and takes it back without what changed since', async () => {
    await write(Workspace, ['a', null]);
    await write(Global, [{ id: 'a', label: 'A' }, 'b']);
    const change = await list.changeId('a', 'c');
    assert.deepEqual(values(), { user: [{ id: 'c', label: 'A' }, 'b'], workspace: ['c', null] });
    assert.deepEqual(targets(change), [Workspace, Global]);
    await list.setLabel('c', 'C');
    await change.undo();
    assert.deepEqual(values(), { user: [{ id: 'a', label: 'C' }, 'b'], workspace: ['a', null] });
  });

  it('writes a label where the one that counts stands', async () => {
    await write(Workspace, ['a', { id: 'b', label: 'B' }]);
    await write(Global, [{ id: 'a', label: 'A' }]);
    assert.deepEqual(targets(await list.setLabel('a', 'New')), [Global]);
    assert.deepEqual(targets(await list.setLabel('b', undefined)), [Workspace]);
    assert.deepEqual(values(), { user: [{ id: 'a', label: 'New' }], workspace: ['a', 'b'] });
    await assert.rejects(list.setLabel('gone', 'x'), UserError);
  });

  it('says once what is malformed, and names the place', async () => {
    await write(Workspace, ['a', 5, { id: 'b', label: 6 }]);
    await write(Workspace, [5, 'a', 'c']);
    const [first, second] = lines;
    assert.equal(
      first,
      'Entry 2 of automationPlatform.deployments in .vscode/settings.json is neither a deployment ID nor { "id": "…", "label": "…" } and is ignored.',
    );
    assert.match(second ?? '', /^Entry 3 /);
    assert.equal(lines.length, 2);
    await write(Workspace, [6]);
    assert.equal(lines.length, 3);
  });

  it('does not overwrite a value that is no list', async () => {
    await write(Workspace, 'dep_1');
    assert.deepEqual(lines, ['automationPlatform.deployments in .vscode/settings.json is not a list and is ignored.']);
    await assert.rejects(
      list.add([{ id: 'a' }]),
      /automationPlatform\.deployments in \.vscode\/settings\.json is not a list/,
    );
    await write(Global, ['a']);
    assert.deepEqual(targets(await list.remove(['a'])), [Global]);
    assert.deepEqual(values(), { user: [], workspace: 'dep_1' });
  });

  it('names the settings file that has unsaved changes, and changes no other', async () => {
    await write(Workspace, ['a']);
    await write(Global, ['a']);
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, '.vscode', 'settings.json'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '\n'));
    assert.equal(document.isDirty, true);
    for (const attempt of [() => list.add([{ id: 'b' }]), () => list.remove(['a']), () => list.setLabel('a', 'A')]) {
      await assert.rejects(attempt(), (error) => {
        assert.ok(error instanceof UserError, String(error));
        assert.match(error.message, /^The list in \.vscode\/settings\.json was not changed: .*unsaved changes/);
        assert.equal(error.actions[0]?.command, 'vscode.open');
        return true;
      });
    }
    assert.deepEqual(values(), { user: ['a'], workspace: ['a'] });
  });
});
