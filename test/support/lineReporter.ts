// A line for each file as it ends, and each failure at once. Mocha makes it, also from its own command line.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import Mocha from 'mocha';
import { compiledTests } from './paths.js';
import { countsLine, nothingRan, type SuiteResult, sum } from './suite.js';

export interface LineOptions {
  /** Begins each line: the VS Code version. */
  readonly label?: string;
  readonly print?: (line: string) => void;
  readonly failed?: (title: string) => void;
  /** Takes the counts in the end, or the file that they are written to. */
  readonly ended?: (result: SuiteResult) => void;
  readonly results?: string;
}

export default class LineReporter extends Mocha.reporters.Base {
  private total = nothingRan;
  private ofFile = nothingRan;
  private file = '';
  private since = Date.now();

  constructor(
    runner: Mocha.Runner,
    { reporterOptions: options = {} }: { reporterOptions?: LineOptions } = {},
    private readonly print = options.print ?? console.log,
    private readonly label = options.label ?? '',
  ) {
    super(runner);
    runner.on('pass', (test) => this.count(test, { passed: 1 }));
    runner.on('pending', (test) => this.count(test, { skipped: [test.fullTitle()] }));
    // Hooks fail too.
    runner.on('fail', (test, error: Error) => {
      this.count(test, { failed: [test.fullTitle()] });
      options.failed?.(test.fullTitle());
      this.print(`✖ ${this.label}${test.fullTitle()}\n${indented(describe(error))}`);
    });
    runner.once('end', () => {
      this.endFile();
      options.ended?.(this.total);
      // At once: a runner may end its process as soon as the last test has ended.
      if (options.results !== undefined) writeFileSync(options.results, JSON.stringify(this.total));
    });
  }

  private count({ file = '' }: Mocha.Runnable, one: Partial<SuiteResult>): void {
    if (file !== this.file) this.endFile();
    this.file = file;
    this.ofFile = sum([this.ofFile, { ...nothingRan, ...one }]);
  }

  private endFile(): void {
    const counts = this.ofFile;
    if (counts !== nothingRan) {
      const name = relative(compiledTests, this.file)
        .replace(/\.test\.js$/, '')
        .replaceAll('\\', '/');
      const seconds = ((Date.now() - this.since) / 1000).toFixed(1);
      const [mark, words] = counts.failed.length > 0 ? ['✖', countsLine(counts)] : ['✓', `${counts.passed} passed`];
      this.print(`${mark} ${this.label}${name}: ${words} (${seconds} s)`);
    }
    this.total = sum([this.total, counts]);
    this.ofFile = nothingRan;
    this.since = Date.now();
  }
}

function describe(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
