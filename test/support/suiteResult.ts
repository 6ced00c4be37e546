// What a suite came to, as it travels from the process that ran it to the one that adds up.
import { readFile, writeFile } from 'node:fs/promises';

export interface SuiteResult {
  readonly passed: number;
  readonly failed: number;
  /** Titles of the tests that did not run, each with its reason. */
  readonly skipped: readonly string[];
}

export const nothingRan: SuiteResult = { passed: 0, failed: 0, skipped: [] };
export const failedToRun: SuiteResult = { passed: 0, failed: 1, skipped: [] };

export function sum(results: readonly SuiteResult[]): SuiteResult {
  return results.reduce(
    (total, result) => ({
      passed: total.passed + result.passed,
      failed: total.failed + result.failed,
      skipped: [...total.skipped, ...result.skipped],
    }),
    nothingRan,
  );
}

export function countsLine({ passed, failed, skipped }: SuiteResult): string {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}

export async function writeResult(file: string | undefined, result: SuiteResult): Promise<void> {
  if (file !== undefined) {
    await writeFile(file, JSON.stringify(result));
  }
}

/** No readable result: the suite never came to its end, which counts as one failure. */
export async function readResult(file: string): Promise<SuiteResult> {
  try {
    const result: SuiteResult = JSON.parse(await readFile(file, 'utf8'));
    return result.passed + result.failed + result.skipped.length === 0 ? failedToRun : result;
  } catch {
    return failedToRun;
  }
}
