// Runs the tests and ends with one line that counts them. `node test.js` is `npm test`: types, lint, and format, the unit tests, and the
// tests in the newest VS Code. `node test.js rest` runs what that leaves out, `node test.js unit`, `host`, or `e2e` one suite alone:
// with `--grep X` a part of it, with `--vscode 1.105` in another VS Code.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from './cleanup.js';
import { otherWindowTests, usualWindowTests } from './host.js';
import { compiledTests, projectRoot } from './paths.js';
import { runProcess, startProcess } from './processes.js';
import {
  countsLine,
  failedToRun,
  failingWhenFlaky,
  nothingRan,
  type Results,
  readMochaReport,
  readPlaywrightReport,
  sum,
} from './results.js';
import { temporaryFolder } from './temporaryFolder.js';
import { type HostVersion, hostVersion, newestHost, oldestHost } from './vscode/hostVersions.js';
import { installBrowser } from './vscode/installBrowser.js';
import { installHost } from './vscode/installHost.js';
import { installNode, nodeMajors } from './vscode/installNode.js';
import { npm } from './vscode/npm.js';

interface Suite {
  /** As the report names it: "unit", "host 1.105". */
  readonly name: string;
  readonly run: () => Promise<Results>;
}

/** No suite takes nearly as long: one that does hangs. */
const maxSuiteMs = 1_200_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    vscode: { type: 'string', multiple: true },
    /** Host tests in a downloaded desktop VS Code instead of the server. */
    desktop: { type: 'boolean', default: false },
  },
});
const [selection = 'usual'] = positionals;
const versions = options.vscode?.map(hostVersion) ?? [newestHost];

/** Types, lint, and format. Checking the types compiles the tests. */
const check: Suite = {
  name: 'types, lint, format',
  async run() {
    await removeCompiledTests();
    await npm(['run', '--silent', 'check'], projectRoot);
    return { ...nothingRan, passed: 1 };
  },
};

/** Tests whose source is gone must not run, and what is removed here has to be compiled again. */
async function removeCompiledTests(): Promise<void> {
  for (const name of ['unit', 'host'])
    await rm(join(compiledTests, name), { recursive: true, force: true });
  await rm(join(compiledTests, '..', 'tsconfig.tsbuildinfo'), { force: true });
}

const unit: Suite = { name: 'unit', run: () => unitTests('unit', process.execPath) };

const unitInOtherNodes: readonly Suite[] = nodeMajors
  .filter((major) => !process.versions.node.startsWith(`${major}.`))
  .map((major) => {
    const name = `unit on Node ${major}`;
    return { name, run: async () => unitTests(name, await installNode(major)) };
  });

async function unitTests(name: string, node: string): Promise<Results> {
  const report = await reportFile();
  const mocha = join('node_modules', 'mocha', 'bin', 'mocha.js');
  const reporter = ['--reporter=json', `--reporter-option=output=${report}`];
  await runShowingOutput(node, [mocha, ...reporter, ...grepOption()]);
  return readMochaReport(report, name);
}

function usualWindow(version: HostVersion): Suite {
  return {
    name: `host ${version.name}`,
    async run() {
      await build();
      return usualWindowTests(version, options.grep, options.desktop);
    },
  };
}

function otherWindows(version: HostVersion): Suite {
  return {
    name: `host ${version.name}, other windows`,
    async run() {
      await build();
      return otherWindowTests(version, options.grep);
    },
  };
}

function hostSuites(version: HostVersion): readonly Suite[] {
  if (!options.desktop) return [usualWindow(version), otherWindows(version)];
  const reason =
    'A desktop VS Code has no settings of a remote machine, and asks the user about trust.';
  console.log(`Not run: test/host/windows and test/host/folders. ${reason}`);
  return [usualWindow(version)];
}

async function build(): Promise<void> {
  await runProcess(process.execPath, ['esbuild.js'], { cwd: projectRoot });
}

/** @param selected - Playwright's own options for which tests to run. */
function workbenchSuite(version: HostVersion, selected: readonly string[] = []): Suite {
  const name = `e2e ${version.name}`;
  return {
    name,
    async run() {
      const report = await reportFile();
      const playwright = join('node_modules', '@playwright', 'test', 'cli.js');
      const fixed = [
        'test',
        '--config',
        'test/e2e',
        '--reporter=list,json',
        '--pass-with-no-tests',
      ];
      await runShowingOutput(
        process.execPath,
        [playwright, ...fixed, '--project', version.name, ...selected, ...grepOption()],
        { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      );
      return readPlaywrightReport(report, name);
    },
  };
}

function grepOption(): readonly string[] {
  return options.grep === undefined ? [] : ['--grep', options.grep];
}

async function reportFile(): Promise<string> {
  const { path } = await temporaryFolder();
  return join(path, 'report.json');
}

async function runShowingOutput(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const running = startProcess(command, args, { cwd: projectRoot, env });
  running.child.stdout.pipe(process.stdout, { end: false });
  running.child.stderr.pipe(process.stderr, { end: false });
  const timer = setTimeout(() => {
    void running.stop();
  }, maxSuiteMs);
  await running.ended;
  clearTimeout(timer);
}

/** One after the other. A suite that cannot run counts as one failed test. */
async function runInOrder(suites: readonly Suite[]): Promise<Results> {
  const all: Results[] = [];
  for (const { name, run } of suites) {
    const start = Date.now();
    const results = await run().catch((error: unknown) => {
      console.log(`✖ ${name}\n`, error);
      return failedToRun(name);
    });
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`=== ${name}: ${countsLine(results)} (${seconds} s)`);
    all.push(results);
  }
  return sum(all);
}

/** Both lists at a time: tests in VS Code wait for it half of the time, which the others use. */
async function runBeside(first: readonly Suite[], second: readonly Suite[]): Promise<Results> {
  return sum(await Promise.all([runInOrder(first), runInOrder(second)]));
}

/** The tag of tests that `npm test` leaves to `npm run test:rest`: in another theme or language, and slow ones. */
const restTag = '@rest';

async function usual(): Promise<Results> {
  // Downloaded while the types are checked. Where that fails, the suite that needs it tries again and says why.
  const downloads = Promise.allSettled([installBrowser(), installHost(newestHost)]);
  const checked = await runInOrder([check]);
  await downloads;
  const tested = await runBeside(
    [usualWindow(newestHost)],
    [workbenchSuite(newestHost, ['--grep-invert', restTag]), unit],
  );
  return sum([checked, tested]);
}

function rest(): Promise<Results> {
  return runBeside(
    [...unitInOtherNodes, otherWindows(newestHost), ...hostSuites(oldestHost)],
    [workbenchSuite(newestHost, ['--grep', restTag]), workbenchSuite(oldestHost)],
  );
}

const selections: Readonly<Record<string, () => Promise<Results>>> = {
  usual,
  rest,
  unit: () => runInOrder([unit]),
  host: () => runInOrder(versions.flatMap(hostSuites)),
  e2e: () => runInOrder(versions.map((version) => workbenchSuite(version))),
};

function list(what: string, titles: readonly string[]): void {
  if (titles.length === 0) return;
  console.log(`\n${what}:\n${titles.map((title) => `- ${title}`).join('\n')}`);
}

const run = selections[selection];
if (!run) {
  console.error(`${selection}: known are ${Object.keys(selections).join(', ')}.`);
  process.exit(2);
}
const found = failingWhenFlaky(await run());
const isEmpty = found.passed + found.failed.length + found.skipped.length === 0;
const results = isEmpty ? failedToRun('No test matches') : found;
await cleanUp();

list('Skipped', results.skipped);
list('Flaky', results.flaky);
list('Failed', results.failed);
console.log(`\n${countsLine(results)}`);
process.exit(results.failed.length > 0 ? 1 : 0);
