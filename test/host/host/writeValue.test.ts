import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { UserError } from '../../../src/host/actions.js';
import { writeValue } from '../../../src/host/list/writeValue.js';
import { ManualClock, turn } from '../../support/manualClock.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { StuckFiles } from '../../support/window/stuckFiles.js';
import { recordWindow, replace, type Shown } from '../../support/window/windowRecorder.js';

const folder = vscode.workspace.workspaceFolders![0]!.uri;
const setting = 'automationPlatform.deployments';
const before = ['a'] as const;
const after = ['a', 'b'] as const;

/** What messages say of the scope. */
const named = {
  uniqueName: 'list.jsonc',
  name: 'list.jsonc',
  logName: 'list.jsonc',
  setting,
  openAction: { title: 'Open Settings', command: 'vscode.open' },
  isUserScope: false,
};

/** @returns a function that says whether a write waits for VS Code to read the file. */
function recordWait(): () => boolean {
  let isWaiting = false;
  const { onDidChangeConfiguration } = vscode.workspace;
  replace(vscode.workspace, {
    onDidChangeConfiguration: (listener: () => void) => {
      isWaiting = true;
      return onDidChangeConfiguration(listener);
    },
  });
  return () => isWaiting;
}

const notWritten = `VS Code has not written ${setting} in list.jsonc for 10 seconds. The change may still take effect. Look there before you try again.`;

describe('a value with comments', () => {
  let uri: vscode.Uri;
  let clock: ManualClock;
  let shown: Shown;
  /** What VS Code has read of the file. */
  let value: unknown;
  let changed: vscode.EventEmitter<unknown>;
  let hasListener: boolean;
  let writtenByCode: unknown[];

  beforeEach(async () => {
    // Each test has its own file, since VS Code keeps the text of an open one for a while.
    uri = vscode.Uri.joinPath(folder, `list-${crypto.randomUUID()}.jsonc`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`{ "${setting}": [\n// Kept\n"a"\n] }\n`));
    atEndOfTest(() => vscode.workspace.fs.delete(uri));
    clock = new ManualClock();
    shown = recordWindow();
    changed = new vscode.EventEmitter();
    hasListener = false;
    const onDidChangeConfiguration = (listener: () => void) => {
      hasListener = true;
      return changed.event(listener);
    };
    replace(vscode.workspace, { onDidChangeConfiguration });
    value = before;
    writtenByCode = [];
  });

  /** Resolves when the file is written, with whether it was edited: VS Code has not read it yet. */
  async function write(): Promise<{ readonly isEdited: Promise<boolean> }> {
    const scope = {
      key: 'deployments',
      file: { uri, name: 'list.jsonc', isWorkspaceFile: false },
      get value() {
        return value;
      },
      write: async (written: unknown) => {
        writtenByCode.push(written);
        value = written;
      },
      ...named,
    } as const;
    const isEdited = writeValue(scope, () => after, clock.setTimer).then(
      (revert) => revert !== undefined,
    );
    await until('the file to be written', () => hasListener);
    return { isEdited };
  }

  function read(): void {
    value = after;
    changed.fire(undefined);
  }

  it('is written without a progress when VS Code reads the file within a second', async () => {
    const { isEdited } = await write();
    clock.pass(999);
    read();
    assert.equal(await isEdited, true);
    clock.pass(60_000);
    assert.deepEqual(shown.progress, []);
  });

  it('is written with a progress after a second until VS Code has read the file', async () => {
    const { withProgress } = vscode.window;
    let hasProgressEnded = false;
    replace(vscode.window, {
      withProgress: async (...given: Parameters<typeof withProgress>) => {
        await withProgress(...given);
        hasProgressEnded = true;
      },
    });
    const { isEdited } = await write();
    clock.pass(1000);
    await turn();
    assert.deepEqual(shown.progress, ['Writing settings']);
    assert.equal(hasProgressEnded, false);
    read();
    assert.equal(await isEdited, true);
    await turn();
    assert.equal(hasProgressEnded, true);
  });

  it('is written by VS Code when the file has not been read within ten seconds', async () => {
    const { isEdited } = await write();
    clock.pass(9999);
    assert.deepEqual(writtenByCode, []);
    clock.pass(1);
    assert.equal(await isEdited, false);
    assert.deepEqual(writtenByCode, [after]);
  });
});

describe('a write that VS Code refuses', () => {
  const commented = `{ "${setting}": [\n// Kept\n"a"\n] }\n`;
  const plain = `{ "${setting}": ["a"], "other": 1 }\n`;
  const theirs = `{ "${setting}": ["a"], "merged": true }\n`;
  let uri: vscode.Uri;

  beforeEach(() => {
    recordWindow();
    uri = vscode.Uri.joinPath(folder, `list-${crypto.randomUUID()}.jsonc`);
    atEndOfTest(() => vscode.workspace.fs.delete(uri));
  });

  const document = () => vscode.workspace.openTextDocument(uri);
  const onDisk = async () => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();

  /** As another program does it, until VS Code shows the text. */
  async function put(text: string): Promise<void> {
    fs.writeFileSync(uri.fsPath, text);
    const opened = await document();
    await until('VS Code to read the text', () => opened.getText() === text);
  }

  /** Saves the text as VS Code's own write does. */
  async function saveByCode(text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, 99, 0), text);
    await vscode.workspace.applyEdit(edit);
    await (await document()).save();
  }

  for (const [title, content, during, left] of [
    ['takes back our own save', commented, undefined, commented],
    [
      'keeps the text that another program wrote over our save',
      commented,
      () => put(theirs),
      theirs,
    ],
    [
      "keeps the text that another program wrote before VS Code's write",
      plain,
      () => put(theirs),
      theirs,
    ],
    [
      "keeps the text of another program that VS Code's write has changed",
      plain,
      () => saveByCode(theirs.replace('"a"', '"a", "b"')),
      theirs.replace('"a"', '"a", "b"'),
    ],
    [
      "takes back VS Code's own write",
      plain,
      () => saveByCode(plain.replace('["a"]', '[\n  "a",\n  "b"\n]')),
      plain,
    ],
  ] as const) {
    it(title, async () => {
      fs.writeFileSync(uri.fsPath, content);
      const value = ['a'];
      const clock = new ManualClock();
      const scope = {
        key: 'deployments',
        file: { uri, name: 'list.jsonc', isWorkspaceFile: false },
        value,
        write: async () => {
          await during?.();
          throw new Error('refused');
        },
        ...named,
      } as const;
      const isWaiting = recordWait();
      const rejected = assert.rejects(
        writeValue(scope, () => after, clock.setTimer),
        {
          message:
            'Nothing was changed: VS Code could not write list.jsonc. Check for errors there, or see the log.',
        },
      );
      if (content === commented) {
        await until('the wait for VS Code to read our save', isWaiting);
        clock.pass(10_000);
      }
      await rejected;
      assert.equal(await onDisk(), left);
      const opened = await document();
      assert.equal(opened.getText(), left);
      assert.equal(opened.isDirty, false);
    });
  }
});

describe('a nested value', () => {
  it('is taken back when VS Code has not read the file within ten seconds', async () => {
    recordWindow();
    const uri = vscode.Uri.joinPath(folder, `list-${crypto.randomUUID()}.jsonc`);
    const nested = '{ "automationPlatform": { "deployments": ["a"] } }\n';
    fs.writeFileSync(uri.fsPath, nested);
    atEndOfTest(() => vscode.workspace.fs.delete(uri));
    const clock = new ManualClock();
    const isWaiting = recordWait();
    const file = { uri, name: 'list.jsonc', isWorkspaceFile: false };
    const scope = {
      key: 'deployments',
      file,
      value: ['a'],
      write: async () => assert.fail('VS Code writes'),
      ...named,
    } as const;
    const rejected = assert.rejects(
      writeValue(scope, () => after, clock.setTimer),
      /VS Code still reads another value/,
    );
    await until('the wait for VS Code to read our save', isWaiting);
    clock.pass(10_000);
    await rejected;
    // VS Code's own write would set the value a second time.
    assert.equal(fs.readFileSync(uri.fsPath, 'utf8'), nested);
  });
});

describe('a write in a slow VS Code', () => {
  let files: StuckFiles;
  let clock: ManualClock;
  let shown: Shown;
  let writtenByCode: unknown[];

  beforeEach(() => {
    files = new StuckFiles(`{ "${setting}": [\n// Kept\n"a"\n] }\n`);
    clock = new ManualClock();
    shown = recordWindow();
    writtenByCode = [];
  });

  async function recordWrite(written: unknown): Promise<void> {
    writtenByCode.push(written);
  }

  /** @returns a list that gets the error of the write, or `undefined`, when the write has ended. */
  function write(writeByCode = recordWrite) {
    const file = { uri: files.uri, name: 'list.jsonc', isWorkspaceFile: false };
    const ended: unknown[] = [];
    const scope = {
      key: 'deployments',
      file,
      value: before,
      write: writeByCode,
      ...named,
    } as const;
    writeValue(scope, () => after, clock.setTimer).then(
      () => ended.push(undefined),
      (error: unknown) => ended.push(String(error)),
    );
    return ended;
  }

  it('changes nothing when the file has not been opened within ten seconds', async () => {
    files.hangs = 'readFile';
    const ended = write();
    await until('a read of the file', () => files.isAsked);
    clock.pass(9999);
    await turn();
    assert.deepEqual(ended, []);
    clock.pass(1);
    await until('the end', () => ended.length > 0);
    const reason =
      'VS Code has not opened list.jsonc for 10 seconds. Try again when it can be opened.';
    assert.deepEqual(ended, [`UserError: Nothing was changed: ${reason}`]);
    assert.deepEqual(writtenByCode, []);
  });

  it('shows a progress after a second while the file is opened', async () => {
    files.hangs = 'readFile';
    const ended = write();
    await until('a read of the file', () => files.isAsked);
    clock.pass(1000);
    assert.deepEqual(shown.progress, ['Writing settings']);
    clock.pass(9000);
    await until('the end', () => ended.length > 0);
  });

  it('rejects when the file has not been saved within ten seconds', async () => {
    files.hangs = 'writeFile';
    const ended = write();
    await until('a write of the file', () => files.isAsked);
    clock.pass(10_000);
    await until('the end', () => ended.length > 0);
    assert.deepEqual(ended, [`UserError: ${notWritten}`]);
    assert.deepEqual(writtenByCode, []);
  });

  it("rejects when VS Code's own write has not ended within ten seconds", async () => {
    files.content = `{ "${setting}": ["a"] }`;
    let isAsked = false;
    const ended = write(() => {
      isAsked = true;
      return new Promise(() => {});
    });
    await until("VS Code's own write", () => isAsked);
    clock.pass(10_000);
    await until('the end', () => ended.length > 0);
    assert.deepEqual(ended, [`UserError: ${notWritten}`]);
  });

  it('points to a second value when VS Code reads another one after it', async () => {
    const scope = {
      key: 'deployments',
      file: undefined,
      value: before,
      write: recordWrite,
      ...named,
    } as const;
    const message = `VS Code has written list.jsonc, but still reads another value. Check whether ${setting} is there twice, then try again.`;
    await assert.rejects(
      writeValue(scope, () => after, clock.setTimer),
      { message },
    );
    assert.deepEqual(writtenByCode, [after]);
  });
});

describe('an error of VS Code', () => {
  const unknown = 'VS Code could not write user settings. Check for errors there, or see the log.';
  const isReadOnly = 'The file of user settings is read-only.';
  for (const [text, reason, buttons] of [
    [
      "Unable to write file 'a' (NoPermissions (FileSystemError): Error: EPERM)",
      isReadOnly,
      ['Open Settings'],
    ],
    [
      "Die Datei konnte nicht geschrieben werden (EROFS: read-only file system, open 'a')",
      isReadOnly,
      ['Open Settings'],
    ],
    [
      'Unable to write into user settings. Please open the file to correct errors.',
      unknown,
      ['Open Settings', 'Show Log'],
    ],
  ] as const) {
    it(`is shown in our words and logged in its own: ${text.slice(0, 40)}`, async () => {
      recordWindow();
      const userSettings = {
        ...named,
        name: 'user settings',
        logName: 'user settings',
        file: undefined,
      };
      const refuse = { write: () => Promise.reject(new Error(text)) };
      const scope = { ...userSettings, ...refuse, key: 'deployments', value: before } as const;
      const writing = writeValue(scope, () => after, new ManualClock().setTimer);
      await assert.rejects(writing, (error) => {
        assert.ok(error instanceof UserError, String(error));
        assert.equal(error.message, `Nothing was changed: ${reason}`);
        assert.equal(error.logLine, `${setting} in user settings was not changed: ${text}`);
        assert.deepEqual(
          error.actions.map(({ title }) => title),
          buttons,
        );
        return true;
      });
    });
  }
});
