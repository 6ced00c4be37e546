import type { SuiteResult } from './suiteResult.js';
import { countsLine, failedToRun, sum } from './suiteResult.js';

/** Jobs that are counted together; several may run at once. */
export interface Suite {
  readonly name: string;
  readonly jobs: readonly (() => Promise<SuiteResult>)[];
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
        console.log(`✖ ${suite.name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
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
