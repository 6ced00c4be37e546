// What a suite came to, as it travels from the process that ran it to the one that adds up.
import { readFile } from 'node:fs/promises';

/** Each list holds the full titles of tests. */
export interface SuiteResult {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** They failed at first, and passed in the end. */
  readonly triedAgain: readonly string[];
}

export const nothingRan: SuiteResult = { passed: 0, failed: [], skipped: [], triedAgain: [] };

/** One failure, whatever was to be counted. */
export function failedToRun(what: string): SuiteResult {
  return { ...nothingRan, failed: [what] };
}

export function sum(results: readonly SuiteResult[]): SuiteResult {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    skipped: results.flatMap(({ skipped }) => skipped),
    triedAgain: results.flatMap(({ triedAgain }) => triedAgain),
  };
}

export function countsLine({ passed, failed, skipped }: SuiteResult): string {
  return `${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}

/** No readable result: the suite never came to its end. */
export async function readResult(file: string, suite: string): Promise<SuiteResult> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return failedToRun(`${suite} did not come to its end`);
  }
}
