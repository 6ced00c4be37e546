import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { MuteEntries } from '../../../src/host/list/muteEntries.js';
import { edit } from '../../support/window/editors.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { recordWindow, rejectionOf } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.mutes';
const file = vscode.Uri.joinPath(
  vscode.workspace.workspaceFolders![0]!.uri,
  '.vscode/settings.json',
);
const token = 'tok-1234567890';
const now = Date.parse('2026-11-28T12:00:00Z');

const terms = { since: '2026-11-25', until: '2026-12-31', reason: 'App review' };
/** An entry of an account. */
const mute = (account: string, more: object = {}) => ({
  account,
  error: 'gone',
  ...terms,
  ...more,
});
/** What `MuteEntries.add` gets for the entry of an account. */
const subject = (account: string) => ({ kind: 'account', account, error: 'gone' }) as const;
/** The entry of an account that `MuteEntries.add` writes with `newTerms`. */
const newTerms = { until: '2027-01-15', reason: 'Vacation' };
const added = (account: string) => mute(account, { since: '2026-11-28', ...newTerms });

async function textOnDisk(): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
}

describe('the mutes in settings', () => {
  let lines: string[];
  let secrets: KnownSecrets;
  let mutes: MuteEntries;

  beforeEach(() => {
    lines = [];
    secrets = new KnownSecrets();
    const redactValue = (text: string) => secrets.redactValue(text);
    mutes = new MuteEntries({ warn: (line) => lines.push(line), redactValue }, () => now);
  });
  afterEach(() => mutes.dispose());

  /** The accounts that the usable entries name. */
  const accounts = () =>
    mutes.current.entries.map((entry) => entry.subject.kind === 'account' && entry.subject.account);

  it('are those of the workspace', async () => {
    await writeSetting(setting, [mute('a'), mute('b')], Workspace);
    assert.deepEqual(accounts(), ['a', 'b']);
  });

  it('follow each change of the settings', async () => {
    let changes = 0;
    mutes.onDidChange(() => {
      changes += 1;
    });
    await writeSetting(setting, [mute('a')], Workspace);
    await writeSetting(setting, [mute('b')], Workspace);
    assert.deepEqual(accounts(), ['b']);
    assert.equal(changes, 2);
  });

  describe('of the user', () => {
    beforeEach(() => writeSetting(setting, [mute('a')], Global));

    it('mute nothing', () => {
      assert.deepEqual(accounts(), []);
    });

    it('are logged once', async () => {
      await writeSetting(setting, [mute('b')], Workspace);
      const reason = 'counts only in the settings of a folder or a workspace';
      assert.deepEqual(lines, [`Ignored in user settings: ${setting} ${reason}.`]);
    });

    it('stay when a mute that says the same is removed', async () => {
      await writeSetting(setting, [mute('a')], Workspace);
      await mutes.remove(mutes.current.entries);
      assert.deepEqual(settingIn(setting, Global), [mute('a')]);
    });
  });

  describe('with a malformed entry', () => {
    const malformed = mute('b', { until: 'soon' });
    const complaint = `mutes nothing, because “until” is not a day such as 2026-12-31`;
    const logged = (entry: string) =>
      `Ignored in .vscode/settings.json: ${entry} of ${setting} ${complaint}.`;

    it('leave it out', async () => {
      await writeSetting(setting, [mute('a'), malformed], Workspace);
      assert.deepEqual(accounts(), ['a']);
    });

    it('have its number in the log, once', async () => {
      await writeSetting(setting, [mute('a'), malformed], Workspace);
      await writeSetting(setting, [malformed, mute('c')], Workspace);
      assert.deepEqual(lines, [logged('entry 2')]);
    });

    it('have its number in the log again when it changes', async () => {
      await writeSetting(setting, [mute('a'), malformed], Workspace);
      await writeSetting(setting, [{ ...malformed, until: 'later' }], Workspace);
      assert.deepEqual(lines, [logged('entry 2'), logged('entry 1')]);
    });

    it('are reported with a button that opens the file', async () => {
      const { messages } = recordWindow();
      await writeSetting(setting, [malformed], Workspace);
      const sentence = `${setting} in .vscode/settings.json has invalid values, which are ignored.`;
      assert.deepEqual(messages[0], ['warning', sentence, 'Open Settings', 'Show Log']);
    });

    it('are not reported again when another entry changes', async () => {
      await writeSetting(setting, [malformed], Workspace);
      const { messages } = recordWindow();
      await writeSetting(setting, [malformed, mute('c')], Workspace);
      assert.deepEqual(messages, []);
    });

    it('keep it when one that names the same is added', async () => {
      await writeSetting(setting, [malformed], Workspace);
      await mutes.add([subject('b')], newTerms);
      assert.deepEqual(settingIn(setting), [malformed, added('b')]);
    });

    it('keep it when another one is added', async () => {
      await writeSetting(setting, [malformed], Workspace);
      await mutes.add([subject('a')], newTerms);
      assert.deepEqual(settingIn(setting), [malformed, added('a')]);
    });
  });

  it('leave out, and log, an entry that turns out to hold a token', async () => {
    await writeSetting(setting, [mute('a', { reason: `as in ${token}` }), mute('b')], Workspace);
    assert.deepEqual(accounts(), ['a', 'b']);
    secrets.add(token);
    mutes.readAgain();
    assert.deepEqual(accounts(), ['b']);
    const reason = `entry 1 of ${setting} mutes nothing, because it contains a token`;
    assert.deepEqual(lines, [`Ignored in .vscode/settings.json: ${reason}.`]);
  });

  describe('when some are added', () => {
    const before = [mute('a'), mute('b', { error: 'expired' }), mute('c')];
    beforeEach(() => writeSetting(setting, before, Workspace));

    it('begin today, and replace those of the same accounts', async () => {
      await mutes.add([subject('b'), subject('d')], newTerms);
      assert.deepEqual(settingIn(setting), [mute('a'), mute('c'), added('b'), added('d')]);
    });

    it('are as before after Undo', async () => {
      const change = await mutes.add([subject('b'), subject('d')], newTerms);
      await change.undo();
      assert.deepEqual(settingIn(setting), before);
    });

    it('keep after Undo what was changed since', async () => {
      const change = await mutes.add([subject('b'), subject('d')], newTerms);
      const edited = { ...added('b'), reason: 'Another reason' };
      await writeSetting(setting, [mute('a'), edited, added('d')], Workspace);
      await change.undo();
      assert.deepEqual(settingIn(setting), [mute('a'), edited]);
    });
  });

  describe('when one is removed', () => {
    const before = [mute('a'), mute('b'), mute('b', { error: 'expired' }), mute('b')];
    beforeEach(() => writeSetting(setting, before, Workspace));

    it('keep another one of the same account', async () => {
      await mutes.remove(mutes.current.entries.slice(1, 2));
      assert.deepEqual(settingIn(setting), [mute('a'), mute('b', { error: 'expired' })]);
    });

    it('are as before after Undo', async () => {
      const change = await mutes.remove(mutes.current.entries.slice(1, 2));
      await change.undo();
      assert.deepEqual(settingIn(setting), before);
    });

    it('are not written when it is gone already', async () => {
      const entries = mutes.current.entries.slice(0, 1);
      await writeSetting(setting, [mute('c')], Workspace);
      const { scopes } = await mutes.remove(entries);
      assert.deepEqual(scopes, []);
    });
  });

  it('are not written over a value that is no list', async () => {
    await writeSetting(setting, 'acc_1', Workspace);
    assert.equal(
      await rejectionOf(mutes.add([subject('a')], newTerms)),
      `Nothing was changed: ${setting} in .vscode/settings.json is not a list. Make it a list, then try again.`,
    );
    assert.equal(settingIn(setting), 'acc_1');
  });

  it('keep the comments between them through an addition, a removal, and Undo', async () => {
    await writeSetting(setting, [mute('a'), mute('b')], Workspace);
    const commented = (await textOnDisk()).replace(/\{\s+"account": "b"/, '// Ask Ann first\n$&');
    const document = await vscode.workspace.openTextDocument(file);
    await edit(document, new vscode.Range(0, 0, document.lineCount, 0), commented);
    await document.save();

    await mutes.add([subject('c')], newTerms);
    const change = await mutes.remove(mutes.current.entries.slice(0, 1));
    assert.deepEqual(accounts(), ['b', 'c']);
    assert.match(await textOnDisk(), /\/\/ Ask Ann first\n\{\s+"account": "b"/);

    await change.undo();
    assert.deepEqual(accounts(), ['a', 'b', 'c']);
    assert.match(await textOnDisk(), /\/\/ Ask Ann first\n\{\s+"account": "b"/);
  });
});
