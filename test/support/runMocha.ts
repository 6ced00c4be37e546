// Mocha from a program: in Node for UI tests, in the extension host for host tests.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import LineReporter, { type LineOptions } from './lineReporter.js';
import type { SuiteResult } from './suite.js';

export interface MochaRun extends LineOptions {
  readonly files: readonly string[];
  readonly timeout: number;
  /** A regular expression for full titles. */
  readonly grep?: string;
  /** Makes modules of their own of files that were run before: a module describes its tests once. */
  readonly again?: string;
}

let loading = Promise.resolve();

export async function runMocha({ files, timeout, grep, again = '', ...lines }: MochaRun): Promise<SuiteResult> {
  let result: SuiteResult | undefined;
  const mocha = new Mocha({
    reporter: LineReporter,
    reporterOptions: { ...lines, ended: (all: SuiteResult) => (result = all) },
    timeout,
    forbidOnly: Boolean(process.env['CI']),
    grep,
  });
  const earlier = loading;
  loading = (async () => {
    // What describes tests is global, so only one run at a time may load its files.
    await Promise.allSettled([earlier]);
    for (const file of files) await load(mocha, file, again);
  })();
  await loading;
  await new Promise<void>((resolve) => {
    mocha.run(() => resolve());
  });
  // Many runs share this process and its events.
  mocha.dispose();
  return result!;
}

/**
 * As Mocha loads a file, but always by `import`. Where `require` of a module works Mocha prefers that, and the extension host of
 * VS Code 1.105 then stands still: it resolves `vscode` in another thread that asks the main one, which waits inside `require`.
 */
async function load(mocha: Mocha, file: string, again: string): Promise<void> {
  const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } = Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const loaded: unknown = await import(pathToFileURL(file).href + (again && `?${again}`));
  mocha.suite.emit(EVENT_FILE_REQUIRE, loaded, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}

/** All `*.test.js` below a folder. */
export async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((entry) => entry.endsWith('.test.js'))
    .toSorted()
    .map((entry) => join(folder, entry));
}
