import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { UserError } from '../../../src/host/actions.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import type { SettingChange } from '../../../src/host/list/scopedSetting.js';
import { SettingsScope } from '../../../src/host/list/settingsScope.js';
import { ManualClock } from '../../support/manualClock.js';
import { closeEditors, edit, until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { replace } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';

const values = () => ({ workspace: settingIn(setting), user: settingIn(setting, Global) });

async function write({ workspace, user }: { workspace: unknown; user?: unknown }): Promise<void> {
  await writeSetting(setting, workspace, Workspace);
  if (user !== undefined) await writeSetting(setting, user);
}

/** Saves user settings with this change. @returns their former text. */
async function changeUserSettings(change: (text: string) => string): Promise<string> {
  await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  const editor = vscode.window.activeTextEditor!;
  const { document } = editor;
  const text = document.getText();
  await editor.edit((builder) =>
    builder.replace(new vscode.Range(0, 0, document.lineCount, 0), change(text)),
  );
  await vscode.commands.executeCommand('workbench.action.files.save');
  await closeEditors();
  return text;
}

function targets({ scopes }: SettingChange) {
  return scopes.map(({ target }) => target);
}

describe('the list of deployments in real settings files', () => {
  let list: DeploymentList;
  let lines: string[];
  let secrets: KnownSecrets;
  beforeEach(() => {
    lines = [];
    secrets = new KnownSecrets();
    const redactValue = (text: string) => secrets.redactValue(text);
    list = new DeploymentList({ warn: (line) => lines.push(line), redactValue });
  });
  afterEach(() => list.dispose());

  it('changes although VS Code has not ended the write before within ten seconds', async () => {
    await write({ workspace: [] });
    const clock = new ManualClock();
    const stuck = new DeploymentList(
      { warn: () => undefined, redactValue: (text) => text },
      clock.setTimer,
    );
    atEndOfTest(() => stuck.dispose());
    const usual: unknown = Reflect.get(SettingsScope.prototype, 'write');
    let isAsked = false;
    const hanging = () => {
      isAsked = true;
      return new Promise(() => {});
    };
    replace(SettingsScope.prototype, { write: hanging });
    const first = stuck.add([{ id: 'a' }]);
    const second = stuck.add([{ id: 'b' }]);
    await until('the first write', () => isAsked);
    replace(SettingsScope.prototype, { write: usual });
    clock.pass(10_000);
    const sentence = `VS Code has not written ${setting} in .vscode/settings.json for 10 seconds. The change may still take effect. Look there before you try again.`;
    await assert.rejects(first, { name: 'UserError', message: sentence });
    await second;
    assert.deepEqual(values().workspace, ['b']);
  });

  it('leaves out an ID that holds a token and redacts a label, as soon as the token is known', async () => {
    const token = 'tok-1234567890';
    const entry = { id: 'b', label: `Sync ${token}` };
    await write({ workspace: [token, entry] });
    assert.deepEqual(list.listed, [{ id: token }, entry]);
    secrets.add(token);
    list.readAgain();
    assert.deepEqual(list.listed, [{ id: 'b', label: 'Sync [redacted]' }]);
    const expected = `entry 1 of ${setting} contains a token, which is not sent as an ID`;
    assert.deepEqual(lines, [`Ignored in .vscode/settings.json: ${expected}.`]);
  });

  it('says once what is malformed, names the place, and does not overwrite a value that is no list', async () => {
    const expected = 'is neither an ID nor { "id": "…", "label": "…" }';
    for (const [workspace, said] of [
      [['a', 5], ['entry 2']],
      [[5, 'b'], []],
      [[6], ['entry 1']],
    ] as const) {
      await write({ workspace });
      const ignored = (entry: string) =>
        `Ignored in .vscode/settings.json: ${entry} of automationPlatform.deployments ${expected}.`;
      assert.deepEqual(lines.splice(0), said.map(ignored));
    }
    await write({ workspace: 'dep_1', user: ['a'] });
    assert.match(lines.join(), /^Ignored in .*: automationPlatform\.deployments is not a list\.$/);
    await assert.rejects(
      list.add([{ id: 'b' }]),
      /^UserError: Nothing was changed: .*deployments in \.vscode\/settings\.json is not a list\. Make it /,
    );
    assert.deepEqual(targets(await list.remove(['a'])), [Global]);
    assert.deepEqual(values(), { workspace: 'dep_1', user: [] });
  });

  it('gets additions in the workspace, keeps what is malformed, and loses none to another at the same moment', async () => {
    await write({ workspace: ['a', 5], user: ['u'] });
    const several = [{ id: 'b' }, { id: 'c', label: 'C' }, { id: 'a', label: 'listed already' }];
    const [added] = await Promise.all([list.add(several), list.add([{ id: 'd' }])]);
    assert.deepEqual(values(), {
      workspace: ['a', 5, 'b', { id: 'c', label: 'C' }, 'd'],
      user: ['u'],
    });
    assert.deepEqual(targets(added), [Workspace]);
    await added.undo();
    assert.deepEqual(values(), { workspace: ['a', 5, 'd'], user: ['u'] });
  });

  it('removes an ID from every scope or, when one cannot be written, from none, and Undo restores it exactly', async () => {
    const before = { workspace: ['a', null, 'b', 'a'], user: ['u', { id: 'a', label: 'A' }] };
    await write(before);
    const original = Reflect.get(SettingsScope.prototype, 'write');
    let full: vscode.ConfigurationTarget | undefined;
    const failing = async function (this: SettingsScope, entries: readonly unknown[]) {
      if (this.target === full) throw new Error('disk full');
      await original.call(this, entries);
    };
    replace(SettingsScope.prototype, { write: failing });
    for (const [target, name] of [
      [Global, 'user settings'],
      [Workspace, '.vscode/settings.json'],
    ] as const) {
      full = target;
      await assert.rejects(list.remove(['a']), {
        logLine: `${setting} in ${name} was not changed: disk full`,
      });
      assert.deepEqual(values(), before, name);
    }
    full = undefined;
    const removed = await list.remove(['a', 'u']);
    assert.deepEqual(targets(removed), [Workspace, Global]);
    assert.deepEqual(values(), { workspace: [null, 'b'], user: [] });
    await removed.undo();
    assert.deepEqual(values(), before);
    // VS Code writes one after the other, so this one is through before anything is taken out of the workspace.
    const adding = writeSetting(setting, ['a', 'added meanwhile'], Workspace);
    await list.remove(['a']);
    await adding;
    assert.deepEqual(values(), { workspace: ['added meanwhile'], user: ['u'] });
  });

  it('changes an ID in every scope, a label in the scope whose label counts, and Undo takes back only its own change', async () => {
    await write({
      workspace: ['a', null, { id: 'b', label: 'B' }],
      user: [{ id: 'a', label: 'A' }, 'b'],
    });
    const change = await list.changeId('a', 'c');
    assert.deepEqual(targets(change), [Workspace, Global]);
    assert.deepEqual(targets(await list.setLabel('c', 'C')), [Global]);
    assert.deepEqual(targets(await list.setLabel('b', undefined)), [Workspace]);
    assert.deepEqual(values(), {
      workspace: ['c', null, 'b'],
      user: [{ id: 'c', label: 'C' }, 'b'],
    });
    await change.undo();
    assert.deepEqual(values(), {
      workspace: ['a', null, 'b'],
      user: [{ id: 'a', label: 'C' }, 'b'],
    });
    await assert.rejects(list.setLabel('gone', 'x'), UserError);
  });

  it('names the file that has unsaved changes, and changes neither this nor another one', async () => {
    await write({ workspace: ['a'], user: ['a'] });
    const { uri } = new SettingsScope(Workspace).file!;
    const editor = await vscode.window.showTextDocument(uri);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));
    const sentence =
      'Nothing was changed: There are unsaved changes in .vscode/settings.json. Save them, then try again.';
    const line = `${setting} in .vscode/settings.json was not changed: the file has unsaved changes`;
    await assert.rejects(list.remove(['a']), (error) => {
      assert.ok(error instanceof UserError, String(error));
      assert.deepEqual([error.message, error.logLine], [sentence, line]);
      assert.equal(String(error.actions[0]?.arguments), String(uri));
      return true;
    });
    assert.deepEqual(
      [values(), editor.document.isDirty],
      [{ workspace: ['a'], user: ['a'] }, true],
    );
    await closeEditors();
  });

  it('says that user settings have unsaved changes, keeps these, and writes no other file', async () => {
    await write({ workspace: ['a'], user: ['a'] });
    const { uri } = new SettingsScope(Workspace).file!;
    const oneLine = `{ "${setting}": ["a", "b"] }`;
    await vscode.workspace.fs.writeFile(uri, Buffer.from(oneLine));
    await until('VS Code to read it', () => JSON.stringify(values().workspace) === '["a","b"]');
    await vscode.commands.executeCommand('workbench.action.openSettingsJson');
    atEndOfTest(closeEditors);
    const editor = vscode.window.activeTextEditor!;
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));
    const message =
      'Nothing was changed: There are unsaved changes in user settings. Save them, then try again.';
    await assert.rejects(list.remove(['a']), { message });
    assert.deepEqual(values(), { workspace: ['a', 'b'], user: ['a'] });
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), oneLine);
    assert.equal(editor.document.lineAt(0).text, '');
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('says that user settings were written when the list is there twice, of which VS Code changes the other', async () => {
    await write({ workspace: [], user: ['a'] });
    const before = await changeUserSettings((text) =>
      text.replace(/\}\s*$/, `,\n"${setting}": ["a", "b"] }`),
    );
    atEndOfTest(() => changeUserSettings(() => before));
    await until('VS Code to read it', () => JSON.stringify(values().user) === '["a","b"]');
    const message = `VS Code has written user settings, but still reads another value. Check whether ${setting} is there twice, then try again.`;
    await assert.rejects(list.remove(['a']), { message });
    assert.deepEqual(values().user, ['a', 'b']);
  });

  it('blames no unsaved settings.json of a folder named User for what user settings refuse', async () => {
    await write({ workspace: [], user: ['a'] });
    const uri = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders![0]!.uri,
      'User',
      'settings.json',
    );
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{}'));
    atEndOfTest(() => vscode.workspace.fs.delete(uri));
    atEndOfTest(closeEditors);
    const { document } = await vscode.window.showTextDocument(uri);
    await edit(document, new vscode.Range(0, 0, 0, 0), '\n');
    replace(SettingsScope.prototype, { write: () => Promise.reject(new Error('disk full')) });
    const message =
      'Nothing was changed: VS Code could not write user settings. Check for errors there, or see the log.';
    await assert.rejects(list.remove(['a']), { message });
    assert.ok(document.isDirty);
  });
});
