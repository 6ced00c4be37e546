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
import { rejectionOf, replace } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';
const token = 'tok-1234567890';
/** Lists of both scopes that have the ID `a`. */
const listedTwice = { workspace: ['a', null, 'b', 'a'], user: ['u', { id: 'a', label: 'A' }] };

/** The lists as VS Code has read them from the settings files of the tests. */
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

describe('the list of deployments', () => {
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

  it('makes the next change when a write has not ended after ten seconds', async () => {
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
    const next = stuck.add([{ id: 'b' }]);
    await until('the first write', () => isAsked);
    replace(SettingsScope.prototype, { write: usual });
    clock.pass(10_000);

    const message = `VS Code has not written ${setting} in .vscode/settings.json for 10 seconds. The change may still take effect. Look there before you try again.`;
    await assert.rejects(first, { name: 'UserError', message });
    await next;
    assert.deepEqual(values().workspace, ['b']);
  });

  it('leaves out, and logs, an ID that turns out to hold a token', async () => {
    await write({ workspace: [token, 'b'] });
    assert.deepEqual(list.listed, [{ id: token }, { id: 'b' }]);
    secrets.add(token);
    list.readAgain();
    assert.deepEqual(list.listed, [{ id: 'b' }]);
    const reason = `entry 1 of ${setting} contains a token, which is not sent as an ID`;
    assert.deepEqual(lines, [`Ignored in .vscode/settings.json: ${reason}.`]);
  });

  it('redacts a label that turns out to hold a token', async () => {
    const entry = { id: 'b', label: `Sync ${token}` };
    await write({ workspace: [entry] });
    assert.deepEqual(list.listed, [entry]);
    secrets.add(token);
    list.readAgain();
    assert.deepEqual(list.listed, [{ id: 'b', label: 'Sync [redacted]' }]);
  });

  it('logs each malformed entry once, with its place', async () => {
    const reason = 'is neither an ID nor { "id": "…" }';
    const changes: readonly [workspace: readonly unknown[], newlyIgnored: readonly string[]][] = [
      [['a', 5], ['entry 2']],
      [[5, 'b'], []],
      [[6], ['entry 1']],
    ];
    for (const [workspace, newlyIgnored] of changes) {
      await write({ workspace });
      const expected = newlyIgnored.map(
        (entry) => `Ignored in .vscode/settings.json: ${entry} of ${setting} ${reason}.`,
      );
      assert.deepEqual(lines.splice(0), expected, `after a change to ${JSON.stringify(workspace)}`);
    }
  });

  describe('with an unusable label or group', () => {
    const file = '.vscode/settings.json';
    /** The log's line about a field of the first entry. */
    const ignored = (field: string, complaint: string) =>
      `Ignored in ${file}: the ${field} of entry 1 of ${setting}, which ${complaint}.`;
    const isNoName = 'is not a name of 1 to 60 characters';

    for (const [what, entry, listed, logged] of [
      [
        'a label that is no text',
        { id: 'a', label: 5, group: 'payments' },
        { id: 'a', group: 'payments' },
        [ignored('label', 'is not a text')],
      ],
      [
        'a group that is no text',
        { id: 'a', label: 'A', group: null },
        { id: 'a', label: 'A' },
        [ignored('group', isNoName)],
      ],
      [
        'a group of 61 characters',
        { id: 'a', group: 'x'.repeat(61) },
        { id: 'a' },
        [ignored('group', isNoName)],
      ],
      ['a blank group', { id: 'a', group: ' ' }, { id: 'a' }, [ignored('group', isNoName)]],
      [
        'both',
        { id: 'a', label: [], group: '' },
        { id: 'a' },
        [ignored('label', 'is not a text'), ignored('group', isNoName)],
      ],
    ] as const) {
      it(`lists the deployment: ${what}`, async () => {
        await write({ workspace: [entry] });
        assert.deepEqual(list.listed, [listed]);
      });

      it(`logs each field: ${what}`, async () => {
        await write({ workspace: [entry] });
        assert.deepEqual(lines, logged);
      });
    }

    it('logs it once, also at another place of the list', async () => {
      const entry = { id: 'a', label: 5, group: 5 };
      await write({ workspace: [entry] });
      assert.equal(lines.splice(0).length, 2);
      await write({ workspace: ['b', entry] });
      assert.deepEqual(lines, []);
    });

    it('has the label and group of another scope', async () => {
      const user = [{ id: 'a', label: 'A', group: 'payments' }];
      await write({ workspace: [{ id: 'a', label: {}, group: {} }], user });
      assert.deepEqual(list.listed, user);
    });

    it('logs nothing of a blank label', async () => {
      await write({ workspace: [{ id: 'a', label: ' ' }] });
      assert.deepEqual(lines, []);
    });
  });

  describe('with a group that turns out to hold a token', () => {
    const entry = { id: 'a', label: 'A', group: `team ${token}` };

    /** Adds the token to the known ones after the entry was read. */
    async function readWithToken(user: readonly unknown[] = []) {
      await write({ workspace: [entry], user });
      assert.equal(list.listed[0]?.group, entry.group);
      secrets.add(token);
      list.readAgain();
    }

    it('has the deployment without a group', async () => {
      await readWithToken();
      assert.deepEqual(list.listed, [{ id: 'a', label: 'A' }]);
    });

    it('has the group of another scope', async () => {
      await readWithToken([{ id: 'a', group: 'payments' }]);
      assert.deepEqual(list.listed, [{ id: 'a', label: 'A', group: 'payments' }]);
    });

    it('logs the place, without the token', async () => {
      await readWithToken();
      const place = `the group of entry 1 of ${setting}`;
      assert.deepEqual(lines, [
        `Ignored in .vscode/settings.json: ${place}, which contains a token.`,
      ]);
    });

    it('replaces the group in its scope', async () => {
      await readWithToken();
      await list.setGroup(['a'], 'payments');
      assert.deepEqual(values().workspace, [{ id: 'a', label: 'A', group: 'payments' }]);
    });
  });

  describe('whose value in the workspace is no list', () => {
    beforeEach(() => write({ workspace: 'dep_1', user: ['a'] }));

    it('logs the name of the file', () => {
      const ignored = `Ignored in .vscode/settings.json: ${setting} is not a list.`;
      assert.deepEqual(lines, [ignored]);
    });

    it('refuses an addition', async () => {
      assert.match(
        await rejectionOf(list.add([{ id: 'b' }])),
        /^Nothing was changed: .*deployments in \.vscode\/settings\.json is not a list\. Make it /,
      );
      assert.deepEqual(values(), { workspace: 'dep_1', user: ['a'] });
    });

    it('removes an entry of user settings', async () => {
      const removed = await list.remove(['a']);
      assert.deepEqual(targets(removed), [Global]);
      assert.deepEqual(values(), { workspace: 'dep_1', user: [] });
    });
  });

  it('keeps malformed entries when an entry is added until Undo', async () => {
    await write({ workspace: ['a', 5], user: ['u'] });
    const several = [{ id: 'b' }, { id: 'c', label: 'C' }, { id: 'a', label: 'listed already' }];
    const added = await list.add(several);
    assert.deepEqual(targets(added), [Workspace]);
    assert.deepEqual(values(), {
      workspace: ['a', 5, 'b', { id: 'c', label: 'C' }],
      user: ['u'],
    });
    await added.undo();
    assert.deepEqual(values(), { workspace: ['a', 5], user: ['u'] });
  });

  it('keeps both of two additions at the same moment', async () => {
    await write({ workspace: ['a'] });
    const [added] = await Promise.all([list.add([{ id: 'b' }]), list.add([{ id: 'c' }])]);
    assert.deepEqual(values().workspace, ['a', 'b', 'c']);
    await added.undo();
    assert.deepEqual(values().workspace, ['a', 'c']);
  });

  it('removes an ID from every scope until Undo', async () => {
    await write(listedTwice);
    const removed = await list.remove(['a', 'u']);
    assert.deepEqual(targets(removed), [Workspace, Global]);
    assert.deepEqual(values(), { workspace: [null, 'b'], user: [] });
    await removed.undo();
    assert.deepEqual(values(), listedTwice);
  });

  for (const [failing, name] of [
    [Global, 'user settings'],
    [Workspace, '.vscode/settings.json'],
  ] as const) {
    it(`removes an ID from no scope when one cannot be written: ${name}`, async () => {
      await write(listedTwice);
      const original = Reflect.get(SettingsScope.prototype, 'write');
      async function writeUnlessFull(this: SettingsScope, entries: readonly unknown[]) {
        if (this.target === failing) throw new Error('disk full');
        await original.call(this, entries);
      }
      replace(SettingsScope.prototype, { write: writeUnlessFull });
      const logLine = `${setting} in ${name} was not changed: disk full`;
      await assert.rejects(list.remove(['a']), { logLine });
      assert.deepEqual(values(), listedTwice);
    });
  }

  it('removes an ID, and keeps an entry that VS Code writes meanwhile', async () => {
    await write(listedTwice);
    // VS Code writes one after the other, so this one is through before anything is taken out of the workspace.
    const adding = writeSetting(setting, ['a', 'added meanwhile'], Workspace);
    await list.remove(['a']);
    await adding;
    assert.deepEqual(values(), { workspace: ['added meanwhile'], user: ['u'] });
  });

  it('changes an ID in every scope until Undo', async () => {
    const before = { workspace: ['a', null, 'b'], user: [{ id: 'a', label: 'A' }, 'b'] };
    await write(before);
    const changed = await list.changeId('a', 'c');
    assert.deepEqual(targets(changed), [Workspace, Global]);
    assert.deepEqual(values(), {
      workspace: ['c', null, 'b'],
      user: [{ id: 'c', label: 'A' }, 'b'],
    });
    await changed.undo();
    assert.deepEqual(values(), before);
  });

  it('undoes the change of an ID, and keeps a label that was set since', async () => {
    await write({ workspace: ['a', null], user: [{ id: 'a', label: 'A' }, 'b'] });
    const changed = await list.changeId('a', 'c');
    await list.setLabel('c', 'C');
    await changed.undo();
    assert.deepEqual(values(), {
      workspace: ['a', null],
      user: [{ id: 'a', label: 'C' }, 'b'],
    });
  });

  it('sets a label in the scope whose label counts', async () => {
    await write({ workspace: ['a'], user: [{ id: 'a', label: 'A' }, 'b'] });
    const changed = await list.setLabel('a', 'C');
    assert.deepEqual(targets(changed), [Global]);
    assert.deepEqual(values(), { workspace: ['a'], user: [{ id: 'a', label: 'C' }, 'b'] });
  });

  it('removes a label from the scope whose label counts', async () => {
    await write({ workspace: [null, { id: 'b', label: 'B' }], user: ['b'] });
    const changed = await list.setLabel('b', undefined);
    assert.deepEqual(targets(changed), [Workspace]);
    assert.deepEqual(values(), { workspace: [null, 'b'], user: ['b'] });
  });

  it('refuses a label for an ID that is not listed', async () => {
    await assert.rejects(list.setLabel('gone', 'x'), UserError);
  });

  it('keeps the group of a deployment whose label changes', async () => {
    await write({ workspace: [{ id: 'a', label: 'A', group: 'g' }] });
    await list.setLabel('a', undefined);
    assert.deepEqual(values().workspace, [{ id: 'a', group: 'g' }]);
  });

  it('keeps the label of a deployment that leaves its group', async () => {
    await write({ workspace: [{ id: 'a', label: 'A', group: 'g' }] });
    await list.setGroup(['a'], undefined);
    assert.deepEqual(values().workspace, [{ id: 'a', label: 'A' }]);
  });

  it('sets a group in the scope whose group counts', async () => {
    await write({ workspace: ['a'], user: [{ id: 'a', group: 'g' }, 'b'] });
    const changed = await list.setGroup(['a'], 'other');
    assert.deepEqual(targets(changed), [Global]);
    assert.deepEqual(values(), { workspace: ['a'], user: [{ id: 'a', group: 'other' }, 'b'] });
  });

  it('takes a deployment out of its groups in all scopes until Undo', async () => {
    const before = { workspace: [{ id: 'a', group: 'g' }], user: [{ id: 'a', group: 'h' }, 'b'] };
    await write(before);
    const changed = await list.setGroup(['a', 'b'], undefined);
    assert.deepEqual(values(), { workspace: ['a'], user: ['a', 'b'] });
    await changed.undo();
    assert.deepEqual(values(), before);
  });

  it('leaves alone in Undo a group that was set since', async () => {
    await write({ workspace: ['a', 'b'] });
    const changed = await list.setGroup(['a', 'b'], 'g');
    await list.setGroup(['b'], 'other');
    await changed.undo();
    assert.deepEqual(values().workspace, ['a', { id: 'b', group: 'other' }]);
  });

  it('sets the group of the deployments that are still listed', async () => {
    await write({ workspace: ['a', null] });
    await list.setGroup(['gone', 'a'], 'g');
    assert.deepEqual(values().workspace, [{ id: 'a', group: 'g' }, null]);
  });

  it('refuses a group for deployments of which none is listed', async () => {
    assert.equal(
      await rejectionOf(list.setGroup(['gone', 'lost'], 'g')),
      'These deployments are no longer in the list.',
    );
  });

  it('replaces a group that turns out to hold a token', async () => {
    secrets.add(token);
    await write({ workspace: [{ id: 'a', group: `g ${token}` }], user: ['a'] });
    assert.deepEqual(list.listed, [{ id: 'a' }]);
    await list.setGroup(['a'], 'g');
    assert.deepEqual(values().workspace, [{ id: 'a', group: 'g' }]);
  });

  it('changes no scope when one file has unsaved changes, and names it', async () => {
    await write({ workspace: ['a'], user: ['a'] });
    const { uri } = new SettingsScope(Workspace).file!;
    const editor = await vscode.window.showTextDocument(uri);
    atEndOfTest(closeEditors);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));
    const message =
      'Nothing was changed: There are unsaved changes in .vscode/settings.json. Save them, then try again.';
    const logLine = `${setting} in .vscode/settings.json was not changed: the file has unsaved changes`;
    await assert.rejects(list.remove(['a']), (error) => {
      assert.ok(error instanceof UserError, String(error));
      assert.equal(error.message, message);
      assert.equal(error.logLine, logLine);
      assert.equal(String(error.actions[0]?.arguments), String(uri));
      return true;
    });
    assert.deepEqual(values(), { workspace: ['a'], user: ['a'] });
    assert.equal(editor.document.isDirty, true);
  });

  it('changes no scope when user settings have unsaved changes, and keeps these', async () => {
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
    assert.equal(await rejectionOf(list.remove(['a'])), message);
    assert.deepEqual(values(), { workspace: ['a', 'b'], user: ['a'] });
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), oneLine);
    assert.equal(editor.document.lineAt(0).text, '');
  });

  it('points to a second list when user settings have another value after a write', async () => {
    await write({ workspace: [], user: ['a'] });
    const before = await changeUserSettings((text) =>
      text.replace(/\}\s*$/, `,\n"${setting}": ["a", "b"] }`),
    );
    atEndOfTest(() => changeUserSettings(() => before));
    await until('VS Code to read it', () => JSON.stringify(values().user) === '["a","b"]');
    const message = `VS Code has written user settings, but still reads another value. Check whether ${setting} is there twice, then try again.`;
    assert.equal(await rejectionOf(list.remove(['a'])), message);
    assert.deepEqual(values().user, ['a', 'b']);
  });

  it('does not blame an unsaved User/settings.json of the workspace', async () => {
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
    assert.equal(await rejectionOf(list.remove(['a'])), message);
    assert.equal(document.isDirty, true);
  });
});
