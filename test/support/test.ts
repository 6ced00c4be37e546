// `npm test` and its parts: `node test.js [unit] [host] [e2e] [--grep X] [--vscode 1.105]`. Ends with one line of counts over all.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from './cleanup.js';
import { hostTests } from './host.js';
import { compiledTests, projectRoot } from './paths.js';
import { runProcess, startProcess } from './processes.js';
import { failedToRun, nothingRan, type Results, readMochaReport, sum } from './results.js';
import { temporaryFolder } from './temporaryFolder.js';
import { hostVersion, hostVersions } from './vscode/hostVersions.js';
import { installBrowser } from './vscode/installBrowser.js';
import { installHost } from './vscode/installHost.js';
import { installNode, nodeMajors } from './vscode/installNode.js';

type SuiteName = 'unit' | 'host' | 'e2e';

function countsLine({ passed, failed, skipped }: Results): string {
  return `${passed} passed, ${failed.length} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}

async function inOrder(
  ...suites: readonly (readonly [name: string, run: () => Promise<Results>])[]
): Promise<Results> {
  const all: Results[] = [];
  for (const [name, run] of suites) {
    const start = Date.now();
    const results = await run().catch((error: unknown) => {
      console.log(`✖ ${name}\n`, error);
      return failedToRun(name);
    });
    console.log(
      `=== ${name}: ${countsLine(results)} (${((Date.now() - start) / 1000).toFixed(1)} s)`,
    );
    all.push(results);
  }
  return sum(all);
}

/** A tool that is content or not: one passed or one failed. By its script: what npm links to it differs on Windows. */
function check(name: string, script: string, ...args: readonly string[]) {
  const run = async () => {
    const tool = startProcess(process.execPath, [join('node_modules', script), ...args], {
      cwd: projectRoot,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    if ((await tool.ended) === 0) return { ...nothingRan, passed: 1 };
    console.log(tool.output());
    return failedToRun(name);
  };
  return [name, run] as const;
}

async function runTests(node: string, args: readonly string[], env = {}): Promise<void> {
  const runner = startProcess(node, args, { cwd: projectRoot, env });
  for (const stream of [runner.child.stdout, runner.child.stderr])
    stream?.pipe(process.stdout, { end: false });
  const timer = setTimeout(() => void runner.stop(), 1_200_000);
  await runner.ended;
  clearTimeout(timer);
}

async function unitTests(name: string, node = process.execPath): Promise<Results> {
  const report = join((await temporaryFolder()).path, 'report.json');
  const args = [
    'node_modules/mocha/bin/mocha.js',
    '--reporter=json',
    `--reporter-option=output=${report}`,
  ];
  await runTests(node, line.grep === undefined ? args : [...args, '--grep', line.grep]);
  return readMochaReport(report, name);
}

function unitTestsElsewhere() {
  const others = nodeMajors.filter((major) => !process.versions.node.startsWith(`${major}.`));
  return others.map((major) => {
    const name = `unit on Node ${major}`;
    return [name, async () => unitTests(name, await installNode(major))] as const;
  });
}

async function e2eTests(): Promise<Results> {
  const results = join((await temporaryFolder()).path, 'results.json');
  const args = [
    'node_modules/@playwright/test/cli.js',
    'test',
    '--config',
    'test/e2e',
    '--pass-with-no-tests',
  ];
  for (const { name } of versions) args.push('--project', name);
  if (line.grep !== undefined) args.push('--grep', line.grep);
  await runTests(process.execPath, args, {
    AUTOMATION_PLATFORM_TEST_RESULTS: results,
    AUTOMATION_PLATFORM_TEST_SELECTION: line.rest ? 'rest' : isWhole && !line.all ? 'usual' : 'all',
  });
  const text = await readFile(results, 'utf8').catch(() => undefined);
  return text === undefined ? failedToRun('e2e did not come to its end') : JSON.parse(text);
}

const { values: line, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', short: 'g' },
    vscode: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    /** What `all` has and the usual run leaves out, with what it goes on from. */
    rest: { type: 'boolean', default: false },
    /** Host tests: in a downloaded desktop VS Code instead of the server. */
    desktop: { type: 'boolean', default: false },
  },
});
const versions = line.vscode?.map(hostVersion) ?? hostVersions;
const isWhole = suites.length === 0;
const wanted = (suite: SuiteName) => (isWhole ? !line.rest : suites.includes(suite));
const first: Results[] = [];
if (isWhole && !line.rest) {
  // Tests whose source has gone are not to run, and what is removed has to be compiled again.
  for (const name of ['unit', 'host'])
    await rm(join(compiledTests, name), { recursive: true, force: true });
  await rm(join(compiledTests, '..', 'tsconfig.tsbuildinfo'), { force: true });
  // What the suites in VS Code need is fetched meanwhile; if it can't be, they try again and say why.
  const fetched = Promise.allSettled([installBrowser(), ...versions.map(installHost)]);
  // The compiled tests are what the types are checked with.
  const types = check('types', 'typescript/bin/tsc', '-p', '.');
  first.push(await inOrder(types, check('types of src', 'typescript/bin/tsc', '-p', 'src')));
  await fetched;
}
const build = () =>
  runProcess(process.execPath, [join(projectRoot, 'esbuild.js')], { cwd: projectRoot });
const inNode = [
  ...(isWhole && !line.rest
    ? [check('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings')]
    : []),
  ...(isWhole && !line.rest ? [check('format', '@biomejs/biome/bin/biome', 'check')] : []),
  ...(wanted('unit') ? [['unit', () => unitTests('unit')] as const] : []),
  ...(isWhole && (line.all || line.rest) ? unitTestsElsewhere() : []),
];
const inHosts = versions.map(
  (version) =>
    [
      `host ${version.name}`,
      () => build().then(() => hostTests(version, line.grep, line.desktop)),
    ] as const,
);
// Each waits for its window half of the time, so that both, with Playwright's two workers, keep two cores busy.
const all = sum([
  ...first,
  ...(await Promise.all([
    inOrder(...inNode, ...(wanted('host') ? inHosts : [])),
    isWhole || wanted('e2e') ? inOrder(['e2e', e2eTests]) : nothingRan,
  ])),
]);
const isEmpty = all.passed + all.failed.length + all.skipped.length === 0;
const result = isEmpty ? failedToRun('No test matches') : all;
await cleanUp();

const list = (what: string, titles: readonly string[]) => {
  if (titles.length > 0)
    console.log(`\n${what}:\n${titles.map((title) => `- ${title}`).join('\n')}`);
};
list('Skipped', result.skipped);
list('Flaky', result.flaky);
list('Failed', result.failed);
console.log(`\n${countsLine(result)}`);
process.exit(result.failed.length > 0 ? 1 : 0);
