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
  /** How often a failed test is tried again; each one that was is named in the output. */
  readonly retries?: number;
  readonly rootHooks?: Mocha.RootHookObject;
}

export async function runMocha(run: MochaRun): Promise<SuiteResult> {
  const files = await testFiles(run.folder);
  Mocha.reporters.Base.consoleLog = (...parts: unknown[]) => run.print(format(...parts));
  // It is read by people and by programs, from files and through pipes.
  Mocha.reporters.Base.useColors = false;
  const mocha = new Mocha({
    reporter: 'spec',
    timeout: run.timeout,
    slow: run.slow,
    forbidOnly: Boolean(process.env['CI']),
    ...(run.grep !== undefined && { grep: run.grep }),
    ...(run.retries !== undefined && { retries: run.retries }),
    ...(run.rootHooks && { rootHooks: run.rootHooks }),
  });
  for (const file of files) {
    await load(mocha, file);
  }
  return new Promise((resolve) => {
    const skipped: string[] = [];
    const retried: string[] = [];
    const runner = mocha.run(() => {
      const { passes, failures } = runner.stats ?? { passes: 0, failures: 1 };
      if (retried.length > 0) run.print(`  tried again:\n${retried.join('\n')}\n`);
      resolve({ passed: passes, failed: failures, skipped });
    });
    runner.on('retry', (test, error) => retried.push(`  - ${test.fullTitle()}: ${error.message}`));
    runner.on('pending', (test) => skipped.push(test.fullTitle()));
  });
}

/**
 * As Mocha loads a file, but always by `import`. Where `require` of a module works Mocha prefers that, and the extension host of
 * VS Code 1.105 then stands still: it resolves `vscode` in another thread that asks the main one, which waits inside `require`.
 */
async function load(mocha: Mocha, file: string): Promise<void> {
  const { EVENT_FILE_PRE_REQUIRE, EVENT_FILE_REQUIRE, EVENT_FILE_POST_REQUIRE } = Mocha.Suite.constants;
  mocha.suite.emit(EVENT_FILE_PRE_REQUIRE, globalThis, file, mocha);
  const loaded: unknown = await import(pathToFileURL(file).href);
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
