import { readFile } from 'node:fs/promises';
import { failureText, type ReportedError } from './failureText.js';

export interface Results {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  readonly flaky: readonly string[];
}

export const nothingRan: Results = { passed: 0, failed: [], skipped: [], flaky: [] };

export function failedToRun(what: string): Results {
  return { ...nothingRan, failed: [what] };
}

export function sum(results: readonly Results[]): Results {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    skipped: results.flatMap(({ skipped }) => skipped),
    flaky: results.flatMap(({ flaky }) => flaky),
  };
}

interface MochaTest {
  readonly fullTitle: string;
  readonly err: ReportedError;
}

interface MochaReport {
  readonly stats: { readonly passes: number };
  readonly failures: readonly MochaTest[];
  readonly pending: readonly MochaTest[];
}

/** Reads the report of Mocha's `json` reporter, and prints its failures. Without one the suite never came to its end. */
export async function readMochaReport(file: string, suite: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return failedToRun(`${suite} did not come to its end`);
  const { stats, failures, pending }: MochaReport = JSON.parse(text);
  for (const { fullTitle, err } of failures)
    console.log(`✖ ${suite} › ${fullTitle}\n${failureText(err)}\n`);
  const titles = (tests: readonly MochaTest[]) =>
    tests.map(({ fullTitle }) => `${suite} › ${fullTitle}`);
  return {
    ...nothingRan,
    passed: stats.passes,
    failed: titles(failures),
    skipped: titles(pending),
  };
}
