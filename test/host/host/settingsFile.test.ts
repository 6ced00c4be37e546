import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { canLock, lock } from '../../support/lockedFile.js';
import { ManualClock } from '../../support/manualClock.js';
import { closeEditors, openFile, until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { settingIn, writeSetting } from '../../support/window/settings.js';
import { recordWindow, replace } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';
const folder = join(vscode.workspace.workspaceFolders![0]!.uri.fsPath, '.vscode');
const path = join(folder, 'settings.json');
const uri = vscode.Uri.file(path);

const flat = (list: string) => `"${setting}": ${list}`;
const nested = (list: string) => `"automationPlatform": { "deployments": ${list} }`;
const unread = 'VS Code could not read .vscode/settings.json. See the log for the reason.';
const utf16 = Buffer.from(`\uFEFF{ ${flat('["a"]')} }`, 'utf16le');

/** The settings file in VS Code, if it is open there. */
function documents(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter((one) => String(one.uri) === String(uri));
}

function valueRead(): string | undefined {
  return JSON.stringify(settingIn(setting));
}

/** Puts bytes where the settings file is, as another program does, and waits until VS Code has read them. */
async function given(content: string | Buffer, value: unknown): Promise<void> {
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path, content);
  await until(
    'VS Code to read the settings',
    () => valueRead() === JSON.stringify(value),
    valueRead,
  );
  const text = content.toString().replace('\uFEFF', '').replaceAll('\r\n', '\n');
  const isShown = () => documents().every((one) => one.getText().replaceAll('\r\n', '\n') === text);
  if (typeof content !== 'string') return;
  // VS Code may miss a change that is made while it reverts an editor, so the file is written once more.
  await until('VS Code to read the text', isShown, isShown, 4000).catch(() =>
    fs.writeFileSync(path, content),
  );
  await until('VS Code to read the text', isShown);
}

function rejection(work: Promise<unknown>): Promise<UserError> {
  return work.then(
    () => assert.fail('It was not rejected.'),
    (error: unknown) => {
      assert.ok(error instanceof UserError, String(error));
      return error;
    },
  );
}

/** Shows that nothing of a failed write is left: neither in the file nor in an editor. */
function assertUntouched(content: string | Buffer): void {
  assert.equal(fs.readFileSync(path).toString('latin1'), Buffer.from(content).toString('latin1'));
  const unsaved = documents().filter(({ isDirty }) => isDirty);
  assert.deepEqual(unsaved, []);
  const texts = documents().map((one) => one.getText());
  for (const text of texts) assert.doesNotMatch(text, /new/);
}

function assertUnsaved({ document }: vscode.TextEditor, text: string): void {
  assert.equal(document.getText(), text);
  assert.equal(document.isDirty, true);
}

describe('a settings file', () => {
  let list: DeploymentList;
  const add = () => list.add([{ id: 'new' }]);
  const listed = () => list.listed.map(({ id }) => id);

  beforeEach(async () => {
    recordWindow();
    await given('{}\n', undefined);
    list = new DeploymentList({ warn: () => undefined, redactValue: (text) => text });
    atEndOfTest(() => list.dispose());
    atEndOfTest(() => given('{}\n', undefined));
  });

  for (const [kind, content, value, reason] of [
    [
      'sets the list twice',
      `{ ${flat('["a", "b"]')},\n${flat('["a", "c"]')} }`,
      ['a', 'c'],
      /“automationPlatform\.deployments” twice/,
    ],
    [
      'sets the list twice with comments',
      `{ ${flat('[/*x*/"a"]')},\n${flat('[/*y*/"b"]')} }`,
      ['b'],
      /twice/,
    ],
    [
      'sets the list nested and then dotted',
      `{ ${nested('["n"]')}, ${flat('["a"]')} }`,
      ['a'],
      /twice/,
    ],
    [
      'sets the list dotted and then nested',
      `{ ${flat('["a"]')}, ${nested('["n"]')} }`,
      ['n'],
      /twice/,
    ],
    [
      'replaces the list by a later section',
      `{ ${flat('["a"]')}, "automationPlatform": { "badge.enabled": true } }`,
      undefined,
      /: “automationPlatform” later in \.vscode\/settings\.json replaces “automationPlatform\.deployments”\. Move /,
    ],
    [
      'has another value for the section',
      '{ "automationPlatform": 5 }',
      undefined,
      /still reads another value/,
    ],
    ['is UTF-16', utf16, undefined, /not UTF-8/],
    ['is UTF-16 without a mark', utf16.subarray(2), undefined, /not UTF-8/],
    ['is Latin-1', Buffer.from(`{ // M\xfcller\n${flat('["a"]')} }`, 'latin1'), ['a'], /not UTF-8/],
    [
      'has merge markers',
      `{\n<<<<<<< HEAD\n${flat('["a"]')},\n=======\n>>>>>>> b\n}`,
      ['a'],
      /: There are errors in the JSON of \.vscode\/settings\.json\. Correct them, then try again\.$/,
    ],
  ] as const) {
    it(`stays as it is for a reason that the error gives when it ${kind}`, async () => {
      await given(content, value);
      const { message, actions } = await rejection(add());
      assert.match(message, /^Nothing was changed: .*\.vscode\/settings\.json/);
      assert.match(message, reason);
      assert.equal(String(actions[0]?.arguments), String(uri));
      assertUntouched(content);
      assert.deepEqual(settingIn(setting), value);
    });
  }

  for (const [kind, content, before, after] of [
    ['begins with a BOM', `\uFEFF{ ${flat('["a"]')} }`, ['a'], /^\uFEFF?\{ "/],
    [
      'begins with a BOM and has comments',
      `\uFEFF{ ${flat('["a" /*x*/]')} }`,
      ['a'],
      /^\uFEFF?\{ .*"a", "new" \/\*x\*\//,
    ],
    [
      'has lines of Windows',
      `{\r\n${flat('[\r\n"a" // x\r\n]')}\r\n}\r\n`,
      ['a'],
      /"a", \/\/ x\r\n"new"\r\n\]/,
    ],
    ['has lines of two kinds', `{\r\n${flat('[\n"a"]')}\r\n}\n`, ['a'], /"new"/],
    ['is empty', '', undefined, /"new"/],
    ['has nothing but comments', '// mine\n', undefined, /"new"[^]*\/\/ mine/],
    [
      'sets the list nested',
      `{ ${nested('[ "a" ]')} }`,
      ['a'],
      /^\{ "automationPlatform": \{ "deployments": \[ "a", "new" \] \} \}$/,
    ],
    [
      'sets the list nested with comments',
      `{ ${nested('[ "a" /*x*/ ]')} }`,
      ['a'],
      /\[ "a", "new" \/\*x\*\/ \]/,
    ],
  ] as const) {
    it(`gets the new entry when it ${kind}`, async () => {
      await given(content, before);
      assert.deepEqual(listed(), before ?? []);
      await add();
      assert.deepEqual(settingIn(setting), [...(before ?? []), 'new']);
      assert.deepEqual(listed(), [...(before ?? []), 'new']);
      assert.match(fs.readFileSync(path, 'utf8'), after);
    });
  }

  it('keeps an entry that another program wrote a moment before', async () => {
    await given(`{ ${flat('["a"]')} }\n`, ['a']);
    await vscode.workspace.openTextDocument(uri);
    fs.writeFileSync(path, `{ ${flat('["a", "b"]')} }\n`);
    await add();
    assert.deepEqual(settingIn(setting), ['a', 'b', 'new']);
  });

  for (const [what, value] of [
    ['a list', flat('["a"]')],
    ['a list with comments', flat('["a" /*x*/]')],
    ['a nested list', nested('["a"]')],
  ] as const) {
    it(`gets the new entry when another program has just changed its line endings: ${what}`, async () => {
      const text = `{\n${value}\n}\n`;
      await given(text, ['a']);
      await vscode.workspace.openTextDocument(uri);
      fs.writeFileSync(path, text.replaceAll('\n', '\r\n'));
      await add();
      assert.deepEqual(settingIn(setting), ['a', 'new']);
      const comments = fs.readFileSync(path, 'utf8').match(/\/\*x\*\//g);
      assert.deepEqual(comments, value.match(/\/\*x\*\//g));
    });
  }

  it('keeps its unsaved changes, which the error names', async () => {
    await given(`{ ${flat('["a"]')} }\n`, ['a']);
    const editor = await vscode.window.showTextDocument(uri);
    atEndOfTest(closeEditors);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));
    const { message } = await rejection(add());
    assert.match(
      message,
      /: There are unsaved changes in \.vscode\/settings\.json\. Save them, then try again\.$/,
    );
    assertUnsaved(editor, `\n{ ${flat('["a"]')} }\n`);
  });

  it('gets the new entry until Undo when VS Code formats on save', async () => {
    await given(`{ ${flat('["a" /*x*/]')} }\n`, ['a']);
    await writeSetting('editor.formatOnSave', true);
    await writeSetting('files.autoSave', 'afterDelay');
    const change = await add();
    assert.deepEqual(settingIn(setting), ['a', 'new']);
    await change.undo();
    assert.deepEqual(settingIn(setting), ['a']);
    assert.match(fs.readFileSync(path, 'utf8'), /"a" \/\*x\*\//);
  });

  it('is not created when a folder has its name', async () => {
    fs.rmSync(path);
    fs.mkdirSync(path);
    atEndOfTest(() => fs.rmSync(path, { recursive: true }));
    const { message } = await rejection(add());
    assert.equal(message, `Nothing was changed: ${unread}`);
    assert.deepEqual(fs.readdirSync(path), []);
  });

  it('is not created when a file has the name of its folder', async () => {
    const aside = `${folder}-aside`;
    fs.renameSync(folder, aside);
    fs.writeFileSync(folder, 'a file');
    atEndOfTest(() => {
      fs.rmSync(folder);
      fs.renameSync(aside, folder);
    });
    const { message } = await rejection(add());
    assert.equal(message, `Nothing was changed: ${unread}`);
    assert.equal(fs.readFileSync(folder, 'utf8'), 'a file');
    assert.deepEqual(
      documents().filter(({ isDirty }) => isDirty),
      [],
    );
  });

  for (const text of [`{ ${flat('["a"]')} }\n`, `{ ${flat('["a" /*x*/]')} }\n`]) {
    const what = text.includes('/*') ? 'a list with comments' : 'a list';

    it(`gets the new entry through a link to a file elsewhere: ${what}`, async () => {
      const target = join(folder, '..', '..', `${crypto.randomUUID()}.json`);
      await given(text, ['a']);
      fs.renameSync(path, target);
      fs.symlinkSync(target, path);
      atEndOfTest(() => {
        fs.rmSync(path);
        fs.rmSync(target);
      });
      await add();
      assert.deepEqual(settingIn(setting), ['a', 'new']);
      assert.match(fs.readFileSync(target, 'utf8'), /"new"/);
      assert.equal(fs.lstatSync(path).isSymbolicLink(), true);
    });

    it(`gets the new entry in a folder that is a link: ${what}`, async () => {
      const target = join(folder, '..', '..', crypto.randomUUID());
      await given(text, ['a']);
      fs.renameSync(folder, target);
      fs.symlinkSync(target, folder);
      atEndOfTest(() => {
        fs.rmSync(folder);
        fs.renameSync(target, folder);
      });
      await add();
      assert.deepEqual(settingIn(setting), ['a', 'new']);
      assert.match(fs.readFileSync(join(target, 'settings.json'), 'utf8'), /"new"/);
    });
  }

  it('is not created anew when it was deleted and VS Code still has its text', async () => {
    await given(`{ ${flat('["a"]')} }\n`, ['a']);
    await vscode.workspace.openTextDocument(uri);
    fs.rmSync(path);
    await until('VS Code to see that it is gone', () => settingIn(setting) === undefined);
    const clock = new ManualClock();
    const waiting = new DeploymentList(
      { warn: () => undefined, redactValue: (text) => text },
      clock.setTimer,
    );
    atEndOfTest(() => waiting.dispose());
    let isWaiting = false;
    const { onDidChangeTextDocument } = vscode.workspace;
    replace(vscode.workspace, {
      onDidChangeTextDocument: (listener: () => void) => {
        isWaiting = true;
        return onDidChangeTextDocument(listener);
      },
    });
    const rejected = rejection(waiting.add([{ id: 'new' }]));
    await until('the wait', () => isWaiting);
    clock.pass(10_000);
    const { message } = await rejected;
    assert.match(
      message,
      /VS Code has not read \.vscode\/settings\.json since it changed\. Reload the window, then try again\.$/,
    );
    assert.equal(fs.existsSync(path), false);
  });

  for (const text of [`{ ${flat('["a"]')} }\n`, `{ ${flat('["a" /*x*/]')} }\n`]) {
    const what = text.includes('/*') ? 'a list with comments' : 'a list';

    it(`stays as it is when VS Code keeps it read-only: ${what}`, async () => {
      await given(text, ['a']);
      await writeSetting('files.readonlyInclude', { '**/settings.json': true });
      const other = await vscode.window.showTextDocument(await openFile('other'));
      const { message } = await rejection(add());
      assert.match(
        message,
        /: VS Code still reads another value than the new one in \.vscode\/settings\.json\. The file may be read-only, /,
      );
      assertUntouched(text);
      assert.equal(vscode.window.activeTextEditor?.document.fileName, other.document.fileName);
    });

    for (const [where, begin] of [
      ['in an open editor', () => writeSetting('workbench.editor.revealIfOpen', true)],
      [
        'beside a locked group',
        () => vscode.commands.executeCommand('workbench.action.lockEditorGroup'),
      ],
    ] as const) {
      it(`keeps another editor unsaved when reverted ${where}: ${what}`, async () => {
        await given(text, ['a']);
        await writeSetting('files.readonlyInclude', { '**/settings.json': true });
        await writeSetting('files.autoSave', 'off');
        atEndOfTest(closeEditors);
        const mine = await vscode.window.showTextDocument(
          await openFile('mine'),
          vscode.ViewColumn.One,
        );
        await vscode.window.showTextDocument(uri, {
          viewColumn: vscode.ViewColumn.Two,
          preview: false,
        });
        await vscode.window.showTextDocument(mine.document, vscode.ViewColumn.One);
        await mine.edit((builder) => builder.insert(new vscode.Position(0, 0), 'still '));
        await begin();
        await rejection(add());
        assertUnsaved(mine, 'still mine');
        assertUntouched(text);
        assert.equal(vscode.window.activeTextEditor?.document.fileName, mine.document.fileName);
      });
    }

    it(`is named when the new value stays in its editor: ${what}`, async () => {
      await given(text, ['a']);
      await writeSetting('files.readonlyInclude', { '**/settings.json': true });
      await writeSetting('files.autoSave', 'off');
      atEndOfTest(closeEditors);
      const mine = await vscode.window.showTextDocument(await openFile('mine'));
      await mine.edit((builder) => builder.insert(new vscode.Position(0, 0), 'still '));
      const { showTextDocument } = vscode.window;
      let isAsked = false;
      const showNothing = async () => {
        isAsked = true;
      };
      atEndOfTest(async () => {
        await showTextDocument(uri);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      });
      replace(vscode.window, { showTextDocument: showNothing });
      const rejected = rejection(add());
      await until('the wait for the editor', () => isAsked);
      const { message } = await rejected;
      assert.match(
        message,
        / The new value is still in the editor of \.vscode\/settings\.json, unsaved\. Undo it there\.$/,
      );
      assertUnsaved(mine, 'still mine');
    });

    it(`stays as it is when the disk refuses a formatted write: ${what}`, async function () {
      if (!canLock(folder)) this.skip();
      await given(text, ['a']);
      await writeSetting('editor.formatOnSave', true);
      atEndOfTest(lock(path));
      await rejection(add());
      assertUntouched(text);
    });

    it(`stays as it is when the disk refuses a write: ${what}`, async function () {
      if (!canLock(folder)) this.skip();
      await given(text, ['a']);
      atEndOfTest(lock(path));
      const { message } = await rejection(add());
      assert.equal(message, 'Nothing was changed: .vscode/settings.json is read-only.');
      assertUntouched(text);
    });
  }
});
