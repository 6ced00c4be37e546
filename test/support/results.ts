import { readFile } from 'node:fs/promises';
import { failureText, type ReportedError } from './failureText.js';

/** What came out of one suite, or of several: full titles, and a count of what passed. */
export interface Results {
  readonly passed: number;
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** Failed once, and passed when it was run again. */
  readonly flaky: readonly string[];
}

export const nothingRan: Results = { passed: 0, failed: [], skipped: [], flaky: [] };

export function failedToRun(what: string): Results {
  return { ...nothingRan, failed: [what] };
}

/** Two lost keys are a busy machine; more are something else. */
const maxFlaky = 2;

/** The results of a whole run, in which more flaky tests than `maxFlaky` count as failed. */
export function failingWhenFlaky(results: Results): Results {
  const { passed, failed, flaky } = results;
  if (flaky.length <= maxFlaky) return results;
  console.log(`${flaky.length} flaky tests: more than ${maxFlaky} fail the run.`);
  return { ...results, passed: passed - flaky.length, failed: [...failed, ...flaky] };
}

export function sum(results: readonly Results[]): Results {
  return {
    passed: results.reduce((total, { passed }) => total + passed, 0),
    failed: results.flatMap(({ failed }) => failed),
    skipped: results.flatMap(({ skipped }) => skipped),
    flaky: results.flatMap(({ flaky }) => flaky),
  };
}

/** "12 passed, 1 failed, 2 skipped": the line that `.ci/run` adds up. */
export function countsLine({ passed, failed, skipped }: Results): string {
  const skippedPart = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
  return `${passed} passed, ${failed.length} failed${skippedPart}`;
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

type PlaywrightOutcome = 'expected' | 'unexpected' | 'flaky' | 'skipped';

interface PlaywrightSpec {
  readonly title: string;
  readonly tests: readonly { readonly projectName: string; readonly status: PlaywrightOutcome }[];
}

/** A file, or a `describe` in it. */
interface PlaywrightSuite {
  readonly title: string;
  readonly specs: readonly PlaywrightSpec[];
  readonly suites?: readonly PlaywrightSuite[];
}

interface PlaywrightReport {
  readonly suites: readonly PlaywrightSuite[];
  /** What went wrong outside of tests, such as the packaging. */
  readonly errors: readonly unknown[];
}

/** Reads the report of Playwright's `json` reporter; `list` has printed the failures. */
export async function readPlaywrightReport(report: string, suite: string): Promise<Results> {
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return failedToRun(`${suite} did not come to its end`);
  const { suites, errors }: PlaywrightReport = JSON.parse(text);
  const tests = suites.flatMap((file) => testsOf(file, []));
  const titles = (outcome: PlaywrightOutcome) =>
    tests.filter((test) => test.outcome === outcome).map(({ title }) => title);
  const flaky = titles('flaky');
  const failed = titles('unexpected');
  if (errors.length > 0 && failed.length === 0) failed.push(`${suite}: an error outside of tests`);
  const skipped = titles('skipped');
  return { passed: tests.length - failed.length - skipped.length, failed, skipped, flaky };
}

interface PlaywrightTest {
  readonly title: string;
  readonly outcome: PlaywrightOutcome;
}

function testsOf(
  suite: PlaywrightSuite,
  outerTitles: readonly string[],
): readonly PlaywrightTest[] {
  const titles = [...outerTitles, suite.title];
  const own = suite.specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status }) => ({
      title: [projectName, ...titles, spec.title].join(' › '),
      outcome: status,
    })),
  );
  const nested = (suite.suites ?? []).flatMap((inner) => testsOf(inner, titles));
  return [...own, ...nested];
}
