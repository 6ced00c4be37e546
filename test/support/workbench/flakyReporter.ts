import { writeFileSync } from 'node:fs';
import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import type { Results } from '../results.js';

/** Tells the runner what came out, and lets three flaky tests fail the run: two lost keys are a busy machine, more are something else. */
export default class FlakyReporter implements Reporter {
  private tests: TestCase[] = [];

  onBegin(_config: unknown, suite: Suite): void {
    this.tests = suite.allTests();
  }

  async onEnd({ status }: FullResult) {
    const titles = (outcome: ReturnType<TestCase['outcome']>) =>
      this.tests
        .filter((test) => test.outcome() === outcome)
        .map((test) => test.titlePath().slice(1).join(' › '));
    const flaky = titles('flaky');
    const isTooFlaky = flaky.length > 2;
    const failed = [...titles('unexpected'), ...(isTooFlaky ? flaky : [])];
    const skipped = titles('skipped');
    const passed = this.tests.length - failed.length - skipped.length;
    // What went wrong outside of tests, such as the packaging, stands above.
    if (status !== 'passed' && failed.length === 0)
      failed.push('The tests in the workbench did not come to their end');
    const results = process.env['AUTOMATION_PLATFORM_TEST_RESULTS'];
    if (results)
      writeFileSync(results, JSON.stringify({ passed, failed, skipped, flaky } satisfies Results));
    if (!isTooFlaky) return undefined;
    console.log(`\n${flaky.length} flaky tests: three fail the run.`);
    return { status: 'failed' as const };
  }
}
