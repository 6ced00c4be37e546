// Runs a suite once for every VS Code version, side by side, each in a process of its own.

import { fork } from 'node:child_process';
import { join } from 'node:path';
import { onEnd, unlessEnding } from './cleanup.js';
import type { CommandLine } from './commandLine.js';
import { readResult, type SuiteResult, sum } from './suiteResult.js';
import { temporaryFolder } from './temporaryFolder.js';

/** Prints the output of each version in one piece, in the order in which they finish. */
export async function runPerVersion(
  script: string,
  line: CommandLine,
  more: readonly string[] = [],
): Promise<SuiteResult> {
  const folder = await temporaryFolder();
  const results = await Promise.all(
    line.versions.map(async ({ name }) => {
      const file = join(folder.path, `${name}.json`);
      const args = ['--child', '--vscode', name, '--results', file, ...more];
      if (line.grep !== undefined) {
        args.push('--grep', line.grep);
      }
      if (line.desktop) {
        args.push('--desktop');
      }
      console.log(await runForked(script, args));
      return readResult(file);
    }),
  );
  await folder.remove();
  return sum(results);
}

/** A fork has a channel to us, which tells it when we are gone. */
async function runForked(script: string, args: readonly string[]): Promise<string> {
  const child = fork(script, args, { silent: true });
  const chunks: string[] = [];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = onEnd(async () => {
    // Windows ends a process without asking it, and what it started would live on; a closed channel ends it in order.
    if (process.platform === 'win32') child.disconnect();
    else child.kill('SIGTERM');
    await closed;
  });
  await unlessEnding(closed);
  await stop();
  return chunks.join('').trimEnd();
}
