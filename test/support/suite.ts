// Suites of jobs, and what they came to, as it travels from the process that ran a job to the one that adds up.
import { readFile } from 'node:fs/promises';

/** Jobs that are counted together; several may run at once. */
export interface Suite {
  readonly name: string;
  readonly jobs: readonly (() => Promise<SuiteResult>)[];
}

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

/** Plays all jobs in their order, as many at a time as there are lanes, and says of each suite what it came to when it ends. */
export async function play(suites: readonly Suite[], lanes: number): Promise<SuiteResult> {
  const results: SuiteResult[] = [];
  const queue = suites.flatMap((suite) => {
    const own: SuiteResult[] = [];
    let start = 0;
    return suite.jobs.map((job) => async () => {
      start ||= Date.now();
      const result = await job().catch((error: unknown) => {
        console.log(`✖ ${suite.name}\n`, error);
        return failedToRun(suite.name);
      });
      own.push(result);
      results.push(result);
      if (own.length < suite.jobs.length) return;
      console.log(`=== ${suite.name}: ${countsLine(sum(own))} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    });
  });
  const lane = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) await job();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return sum(results);
}
