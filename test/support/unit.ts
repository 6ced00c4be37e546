import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failedToRun } from './suiteResult.js';
import { runTool, type SuiteRun, tools } from './tools.js';

/** Of the report that Mocha's json reporter writes. */
interface MochaReport {
  readonly stats: { readonly passes: number; readonly failures: number };
  readonly failures: readonly {
    readonly fullTitle: string;
    readonly err: { readonly stack?: string; readonly message?: string };
  }[];
  readonly pending: readonly { readonly fullTitle: string }[];
}

/** The unit tests; prints only what failed. */
export async function runUnit(folder: string): Promise<SuiteRun> {
  const file = join(folder, 'unit.json');
  const { code, output } = await runTool(tools.unit, ['--reporter=json', `--reporter-option=output=${file}`]);
  let report: MochaReport;
  try {
    report = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return { output: `ended with ${code}\n${output}`, result: failedToRun };
  }
  const failures = report.failures.map(({ fullTitle, err }) => `✖ ${fullTitle}\n${err.stack ?? err.message ?? ''}\n`);
  const { passes, failures: failed } = report.stats;
  return {
    output: failures.join('\n'),
    result: {
      passed: passes,
      failed: Math.max(failed, code === 0 ? 0 : 1),
      skipped: report.pending.map((test) => test.fullTitle),
    },
  };
}
