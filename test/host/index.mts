// What VS Code runs as the tests of the extension under development (it takes the path for ESM only if it ends in .mjs).
import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMocha, testFiles } from '../support/runMocha.js';
import { countsLine } from '../support/suite.js';

const variable = (name: string) => process.env[`AUTOMATION_PLATFORM_TEST_${name}`];

export async function run(): Promise<void> {
  const report = variable('REPORT');
  const result = await runMocha({
    files: await testFiles(dirname(fileURLToPath(import.meta.url))),
    timeout: 20_000,
    label: variable('LABEL') ?? '',
    grep: variable('GREP'),
    results: variable('RESULTS'),
    // VS Code's own log shares standard output with us; the runner prints what comes into this file instead.
    print: (line) => (report === undefined ? console.log(line) : appendFileSync(report, `${line}\n`)),
  });
  if (result.failed.length > 0) throw new Error(countsLine(result));
}
