import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Owners } from '../../../src/host/list/owners.js';
import { edit } from '../../support/window/editors.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { rejectionOf } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.owners';
const file = vscode.Uri.joinPath(
  vscode.workspace.workspaceFolders![0]!.uri,
  '.vscode/settings.json',
);

const redactValue = (text: string) => text.replace('tok-1234567890', '…');

async function textOnDisk(): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
}

describe('the owners in settings', () => {
  const lines: string[] = [];
  let owners: Owners;
  beforeEach(() => {
    lines.length = 0;
    owners = new Owners({ warn: (line) => lines.push(line), redactValue });
  });
  afterEach(() => owners.dispose());

  const ownersOf = (...accounts: readonly string[]) =>
    accounts.map((account) => owners.ownerOf({ account }));

  it('are those of all scopes, the workspace first', async () => {
    await writeSetting(setting, { acc_1: 'user', acc_2: 'user' }, Global);
    await writeSetting(setting, { acc_1: 'workspace' }, Workspace);
    assert.deepEqual(ownersOf('acc_1', 'acc_2'), ['workspace', 'user']);
  });

  it('leave out a malformed entry, which is logged once', async () => {
    await writeSetting(setting, { dep_1: 5 }, Workspace);
    await writeSetting(setting, { dep_1: 5, dep_2: 'Bob' }, Workspace);
    assert.deepEqual(ownersOf('dep_1', 'dep_2'), [undefined, 'Bob']);
    const reason = 'is not an ID with a text of at most 200 characters';
    const ignored = `Ignored in .vscode/settings.json: an entry of ${setting} ${reason}.`;
    assert.deepEqual(lines, [ignored]);
  });

  it('are shown without a token', async () => {
    await writeSetting(setting, { acc_1: 'Maria, tok-1234567890' }, Workspace);
    assert.deepEqual(ownersOf('acc_1'), ['Maria, …']);
  });

  it('are replaced in the scope that names the current one', async () => {
    await writeSetting(setting, { acc_1: 'user' }, Global);
    await owners.set('acc_1', 'Maria');
    assert.deepEqual(settingIn(setting, Global), { acc_1: 'Maria' });
  });

  it('are removed from the scope that names the current one', async () => {
    await writeSetting(setting, { acc_2: 'workspace', dep_1: 5 }, Workspace);
    await owners.set('acc_2', undefined);
    assert.deepEqual(settingIn(setting), { dep_1: 5 });
  });

  it('are written to the workspace when no scope names one', async () => {
    await writeSetting(setting, { acc_1: 'user' }, Global);
    await writeSetting(setting, { dep_1: 5 }, Workspace);
    await owners.set('acc.3 "x"', 'Bob');
    assert.deepEqual(settingIn(setting), { dep_1: 5, 'acc.3 "x"': 'Bob' });
    assert.deepEqual(settingIn(setting, Global), { acc_1: 'user' });
    assert.deepEqual(ownersOf('acc.3 "x"'), ['Bob']);
  });

  it('are not written over a value that is no object', async () => {
    await writeSetting(setting, 'Maria', Workspace);
    assert.match(
      await rejectionOf(owners.set('acc_9', 'Bob')),
      /^Nothing was changed: .* is not an object of IDs and owners\. Correct it, then try again\.$/,
    );
    assert.equal(settingIn(setting), 'Maria');
  });

  it('are written beside comments', async () => {
    await writeSetting(setting, { acc_1: 'Maria' }, Workspace);
    const commented = (await textOnDisk()).replace('"acc_1"', '// Finance\n"acc_1"');
    const document = await vscode.workspace.openTextDocument(file);
    await edit(document, new vscode.Range(0, 0, document.lineCount, 0), commented);
    await document.save();

    await owners.set('acc_2', 'Bob');

    assert.match(await textOnDisk(), /\/\/ Finance\n"acc_1": "Maria",\s+"acc_2": "Bob"/);
    assert.deepEqual(ownersOf('acc_2'), ['Bob']);
  });
});
