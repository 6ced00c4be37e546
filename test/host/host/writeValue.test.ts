import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { writeValue } from '../../../src/host/list/writeValue.js';
import { ManualClock, turn } from '../../support/manualClock.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { recordWindow, replace, type Shown } from '../../support/window/windowRecorder.js';

const folder = vscode.workspace.workspaceFolders![0]!.uri;
const [before, after] = [['a'], ['a', 'b']] as const;

describe('writing a value that has comments', () => {
  let uri: vscode.Uri;
  let clock: ManualClock;
  let shown: Shown;
  /** What VS Code has read of the file. */
  let value: unknown;
  let changed: vscode.EventEmitter<unknown>;
  let writtenByCode: unknown[];

  beforeEach(async () => {
    // Each test has its own file, since VS Code keeps the text of an open one for a while.
    uri = vscode.Uri.joinPath(folder, `list-${crypto.randomUUID()}.jsonc`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from('{ "list": [\n// Kept\n"a"\n] }\n'));
    atEndOfTest(() => vscode.workspace.fs.delete(uri));
    clock = new ManualClock();
    shown = recordWindow();
    changed = new vscode.EventEmitter();
    replace(vscode.workspace, { onDidChangeConfiguration: changed.event });
    value = before;
    writtenByCode = [];
  });

  /** Resolves when the file is written, with whether it was edited: VS Code has not read it yet. */
  async function write(): Promise<{ readonly isEdited: Promise<boolean> }> {
    const scope = {
      file: { uri, name: 'list.jsonc', path: ['list'] },
      get value() {
        return value;
      },
      write: async (written: unknown) => void writtenByCode.push(written),
    };
    const isEdited = writeValue(scope, after, clock.setTimer).then((revert) => revert !== undefined);
    while (clock.waiting === 0) await turn();
    return { isEdited };
  }

  function read(): void {
    value = after;
    changed.fire(undefined);
  }

  it('shows no progress when VS Code reads it within a second', async () => {
    const { isEdited } = await write();
    clock.pass(999);
    read();
    assert.equal(await isEdited, true);
    clock.pass(60_000);
    assert.deepEqual(shown.progress, []);
  });

  it('shows a progress after a second, until VS Code has read it', async () => {
    const { withProgress } = vscode.window;
    const ended: unknown[] = [];
    replace(vscode.window, {
      withProgress: (...given: Parameters<typeof withProgress>) =>
        withProgress(...given).then((result) => ended.push(result)),
    });
    const { isEdited } = await write();
    clock.pass(1000);
    await turn();
    assert.deepEqual([shown.progress, ended], [['Writing settings'], []]);
    read();
    assert.equal(await isEdited, true);
    await turn();
    assert.equal(ended.length, 1);
  });

  it('is left to VS Code when it has not read it within ten seconds', async () => {
    const { isEdited } = await write();
    clock.pass(9999);
    assert.deepEqual(writtenByCode, []);
    clock.pass(1);
    assert.equal(await isEdited, false);
    assert.deepEqual(writtenByCode, [after]);
  });
});
