import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { Owners } from '../../../src/host/list/owners.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';

const setting = 'automationPlatform.owners';
const file = vscode.Uri.joinPath(
  vscode.workspace.workspaceFolders![0]!.uri,
  '.vscode/settings.json',
);

const redactValue = (text: string) => text.replace('tok-1234567890', '…');

describe('owners in real settings files', () => {
  const lines: string[] = [];
  let owners: Owners;
  beforeEach(() => {
    lines.length = 0;
    owners = new Owners({ warn: (line) => lines.push(line), redactValue });
  });
  afterEach(() => owners.dispose());

  it('count in all scopes together; what is malformed is said once and skipped', async () => {
    await writeSetting(setting, { acc_1: 'user', acc_2: 'user' }, Global);
    await writeSetting(setting, { acc_1: 'workspace', dep_1: 5 }, Workspace);
    await writeSetting(setting, { acc_1: 'workspace', dep_1: 5, dep_2: 'Bob' }, Workspace);
    const found = ['acc_1', 'acc_2', 'dep_1', 'dep_2'].map((account) =>
      owners.ownerOf({ account }),
    );
    assert.deepEqual(found, ['workspace', 'user', undefined, 'Bob']);
    const expected = 'is not an ID with a text of at most 200 characters';
    assert.deepEqual(lines, [
      `Ignored in .vscode/settings.json: an entry of ${setting} ${expected}.`,
    ]);
  });

  it('are shown without a token that somebody put there', async () => {
    await writeSetting(setting, { acc_1: 'Maria, tok-1234567890' }, Workspace);
    assert.equal(owners.ownerOf({ account: 'acc_1' }), 'Maria, …');
  });

  it('are written where the current one stands, else where Add writes, and removed there when empty', async () => {
    await writeSetting(setting, { acc_1: 'user' }, Global);
    await writeSetting(setting, { acc_2: 'workspace', dep_1: 5 }, Workspace);
    await owners.set('acc_1', 'Maria');
    await owners.set('acc_2', undefined);
    await owners.set('acc.3 "x"', 'Bob');
    assert.deepEqual(settingIn(setting), { dep_1: 5, 'acc.3 "x"': 'Bob' });
    assert.deepEqual(settingIn(setting, Global), { acc_1: 'Maria' });
    assert.equal(owners.ownerOf({ account: 'acc.3 "x"' }), 'Bob');
  });

  it('are written beside the comments, and not over what is no object', async () => {
    await writeSetting(setting, 'Maria', Workspace);
    await assert.rejects(
      owners.set('acc_9', 'Bob'),
      /^UserError: Nothing was changed: .* is not an object of IDs and owners\. Correct it, then try again\.$/,
    );
    await writeSetting(setting, { acc_1: 'Maria' }, Workspace);
    const before = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    const commented = before.replace('"acc_1"', '// Finance\n"acc_1"');
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), commented);
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await owners.set('acc_2', 'Bob');
    const after = Buffer.from(await vscode.workspace.fs.readFile(file)).toString();
    assert.match(after, /\/\/ Finance\n"acc_1": "Maria",\s+"acc_2": "Bob"/);
    assert.equal(owners.ownerOf({ account: 'acc_2' }), 'Bob');
  });
});
