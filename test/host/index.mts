// What VS Code runs as the tests of the extension under development (it takes the path for ESM only if it ends in .mjs).
import { strict as assert } from 'node:assert';
import { readdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { closeEditors, until } from '../support/window/editors.js';
import { beginTest, endTest } from '../support/window/endOfTest.js';
import { foreignReportName } from '../support/window/foreignSettings.js';
import { foreignWindow } from '../support/window/foreignWindow.js';

function hasFolders(): boolean {
  return (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

export async function run(): Promise<void> {
  const uncaught: unknown[] = [];
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, (error) => uncaught.push(error));
  }
  const mocha = new Mocha({
    // VS Code's own log shares standard output with us; the runner reads this file instead.
    reporter: 'json',
    reporterOptions: { output: reportFile() },
    timeout: 20_000,
    forbidOnly: Boolean(process.env['CI']),
    grep: process.env['AUTOMATION_PLATFORM_TEST_GREP'],
  });
  mocha.suite.beforeEach(beginTest);
  mocha.suite.afterEach(async () => {
    await endTest();
    await closeEditors();
    // VS Code goes on after these; a process with Node's default settings would end.
    const unhandledErrors = uncaught.splice(0);
    assert.deepEqual(unhandledErrors, []);
  });
  // VS Code starts extensions before it has read the workspace file of a window, long before on a busy machine, and
  // sometimes it never hands over the folders. The tests begin anew when the window is reloaded.
  await until('the folders of the window', hasFolders, hasFolders, 20_000).catch(
    async (error: unknown) => {
      console.log(String(error), 'The window is reloaded.');
      await vscode.commands.executeCommand('workbench.action.reloadWindow');
      await until('the folders of the reloaded window', hasFolders, hasFolders, 30_000);
    },
  );
  const folder = dirname(fileURLToPath(import.meta.url));
  const files = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.test.js'),
  );
  for (const file of files.filter(isOfThisWindow).toSorted()) await load(mocha, join(folder, file));
  const failures = await new Promise<number>((resolve) => {
    mocha.run(resolve);
  });
  if (failures > 0) throw new Error(`${failures} failed`);
}

/** Where reports of test/host/windows go; absent in the usual window. */
const reportFolder = process.env['AUTOMATION_PLATFORM_TEST_WINDOWS'];

function reportFile(): string | undefined {
  return reportFolder === undefined
    ? process.env['AUTOMATION_PLATFORM_TEST_REPORT']
    : join(reportFolder, foreignReportName(foreignWindow().name));
}

/** Folders whose tests run in windows of their own (test/support/host.ts), where nothing else runs. */
const ownWindows = ['windows', 'folders'];

function isOfThisWindow(file: string): boolean {
  const [first = ''] = file.split(sep);
  const wanted = process.env['AUTOMATION_PLATFORM_TEST_SUITE'];
  return wanted === undefined ? !ownWindows.includes(first) : first === wanted;
}

/**
 * As Mocha loads a file, but always by `import`. Where `require` of a module works Mocha prefers that, and the extension host of
 * VS Code 1.105 then stands still: it resolves `vscode` in another thread that asks the main one, which waits inside `require`.
 */
async function load(mocha: Mocha, file: string): Promise<void> {
  const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } =
    Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const loaded: unknown = await import(pathToFileURL(file).href);
  mocha.suite.emit(EVENT_FILE_REQUIRE, loaded, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}
