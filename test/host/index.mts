// What VS Code runs as the tests of the extension under development (it takes the path for ESM only if it ends in .mjs).
import { appendFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runMocha } from '../support/runMocha.js';
import { countsLine, writeResult } from '../support/suiteResult.js';

export async function run(): Promise<void> {
  const { AUTOMATION_PLATFORM_TEST_REPORT: report, AUTOMATION_PLATFORM_TEST_RESULTS: results } = process.env;
  const grep = process.env['AUTOMATION_PLATFORM_TEST_GREP'];
  const result = await runMocha({
    folder: dirname(fileURLToPath(import.meta.url)),
    timeout: 20_000,
    slow: 2_000,
    ...(grep !== undefined && { grep }),
    // VS Code's own log shares standard output with us; the runner prints this file instead.
    print: (line) => (report === undefined ? console.log(line) : appendFileSync(report, `${line}\n`)),
  });
  await writeResult(results, result);
  if (result.failed > 0) {
    throw new Error(countsLine(result));
  }
}
