// Mocha from a program: in Node for UI tests, in the extension host for host tests.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import Mocha from 'mocha';
import type { SuiteResult } from './suiteResult.js';

export interface MochaRun {
  /** All `*.test.js` below it are run. */
  readonly folder: string;
  readonly timeout: number;
  /** A test slower than this is marked in the output. */
  readonly slow: number;
  readonly grep?: string;
  /** Takes the report, line by line. */
  readonly print: (line: string) => void;
  /**
   * Runs the files with failures once more and counts them anew, if there are not more of them than this. Whole files, since tests
   * of one file go on from what the ones before them left. Each failure of the first time is named in the output.
   */
  readonly filesTriedAgain?: number;
  readonly rootHooks?: Mocha.RootHookObject;
}

export async function runMocha(run: MochaRun): Promise<SuiteResult> {
  const files = await testFiles(run.folder);
  const first = await runFiles(run, files, '');
  const failed = files.filter((file) => first.some((event) => event.file === file && event.failure !== undefined));
  if (failed.length === 0 || failed.length > (run.filesTriedAgain ?? 0)) return count(first);
  run.print('  tried again, with all of their file:');
  for (const { title, failure } of first) if (failure !== undefined) run.print(`  - ${title}: ${failure}`);
  const again = await runFiles(run, failed, '?again');
  return count([...first.filter(({ file }) => !failed.includes(file)), ...again]);
}

/** What became of one test. */
interface Outcome {
  readonly file: string;
  readonly title: string;
  readonly skipped: boolean;
  readonly failure?: string;
}

function count(outcomes: readonly Outcome[]): SuiteResult {
  const failed = outcomes.filter(({ failure }) => failure !== undefined).length;
  const skipped = outcomes.filter((outcome) => outcome.skipped).map(({ title }) => title);
  return { passed: outcomes.length - failed - skipped.length, failed, skipped };
}

/** The suffix of their URLs makes modules of their own: a module that was loaded before describes no test a second time. */
async function runFiles(run: MochaRun, files: readonly string[], suffix: string): Promise<Outcome[]> {
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => run.print(format(...parts));
  // It is read by people and by programs, from files and through pipes.
  Mocha.reporters.Base.useColors = false;
  const mocha = new Mocha({
    reporter: 'spec',
    timeout: run.timeout,
    slow: run.slow,
    forbidOnly: Boolean(process.env['CI']),
    ...(run.grep !== undefined && { grep: run.grep }),
    ...(run.rootHooks && { rootHooks: run.rootHooks }),
  });
  for (const file of files) {
    await load(mocha, file, suffix);
  }
  return new Promise((resolve) => {
    const outcomes: Outcome[] = [];
    const tell = (test: Mocha.Runnable, more: Pick<Outcome, 'skipped' | 'failure'>): void => {
      outcomes.push({ file: test.file ?? '', title: test.fullTitle(), ...more });
    };
    const runner = mocha.run(() => resolve(outcomes));
    runner.on('pass', (test) => tell(test, { skipped: false }));
    runner.on('pending', (test) => tell(test, { skipped: true }));
    // Also of hooks.
    runner.on('fail', (test, error: Error) => tell(test, { skipped: false, failure: error.message }));
  });
}

/**
 * As Mocha loads a file, but always by `import`. Where `require` of a module works Mocha prefers that, and the extension host of
 * VS Code 1.105 then stands still: it resolves `vscode` in another thread that asks the main one, which waits inside `require`.
 */
async function load(mocha: Mocha, file: string, suffix: string): Promise<void> {
  const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } = Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const loaded: unknown = await import(pathToFileURL(file).href + suffix);
  mocha.suite.emit(EVENT_FILE_REQUIRE, loaded, file, mocha);
  mocha.suite.emit(EVENT_FILE_POST_REQUIRE, globalThis, file, mocha);
}

async function testFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  return entries
    .filter((entry) => entry.endsWith('.test.js'))
    .toSorted()
    .map((entry) => join(folder, entry));
}
