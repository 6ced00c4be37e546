// `npm test` and its parts: `node test.js [unit] [host] [e2e] [--grep X] [--vscode 1.105]`. Ends with one line of counts over all.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUp, endWithParent } from './cleanup.js';
import { readCommandLine, type SuiteName } from './commandLine.js';
import { e2eSuite } from './e2e.js';
import { hostSuite } from './host.js';
import { packageExtension } from './packageExtension.js';
import { compiledTests, projectRoot } from './paths.js';
import { runProcess, startProcess } from './processes.js';
import { countsLine, failedToRun, nothingRan, play, readResult, type Suite, type SuiteResult, sum } from './suite.js';
import { temporaryFolder } from './temporaryFolder.js';
import { type HostVersion, newestHost } from './vscode/hostVersions.js';
import { installBrowser } from './vscode/installBrowser.js';
import { installHost } from './vscode/installHost.js';
import { chooseNode, installNode, nodeMajors } from './vscode/installNode.js';
import { thisPlatform } from './vscode/platform.js';

/** A tool that is content or not: one passed or one failed. By its script: what npm links to it differs on Windows. */
function check(name: string, script: string, ...args: readonly string[]): Suite {
  const job = async () => {
    const tool = startProcess(process.execPath, [join('node_modules', script), ...args], {
      cwd: projectRoot,
      env: { NO_COLOR: '1', FORCE_COLOR: undefined },
    });
    if ((await tool.ended) === 0) return { ...nothingRan, passed: 1 };
    console.log(tool.output());
    return failedToRun(name);
  };
  return { name, jobs: [job] };
}

/** The unit tests, as `npm run test:unit` runs them, on this Node or another. */
async function unitTests(node = process.execPath, label = ''): Promise<SuiteResult> {
  const results = join((await temporaryFolder()).path, 'unit.json');
  const args = ['node_modules/mocha/bin/mocha.js', '--reporter=out/test/support/lineReporter.js'];
  if (label) args.push(`--reporter-option=label=${label}`);
  args.push(`--reporter-option=results=${results}`);
  if (line.grep !== undefined) args.push('--grep', line.grep);
  const mocha = startProcess(node, args, { cwd: projectRoot });
  for (const stream of [mocha.child.stdout, mocha.child.stderr]) stream?.pipe(process.stdout, { end: false });
  // Far more than they need; what runs on for ever ends here.
  const timer = setTimeout(() => void mocha.stop(), 240_000);
  await mocha.ended;
  clearTimeout(timer);
  return readResult(results, 'unit');
}

/** On the supported Nodes other than this one, as far as they can be had here. */
function unitTestsElsewhere(): Suite[] {
  return nodeMajors
    .filter((major) => !process.versions.node.startsWith(`${major}.`))
    .map((major) => {
      const name = `unit on Node ${major}`;
      const choice = chooseNode(major, thisPlatform, process.versions.node);
      const skipped = typeof choice === 'object' && 'missing' in choice ? [`${name}: ${choice.missing}`] : [];
      const job = async () =>
        skipped.length > 0 ? { ...nothingRan, skipped } : unitTests(await installNode(major), `Node ${major} · `);
      return { name, jobs: [job] };
    });
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/**
 * Which tests are run in the workbench, as an expression for their titles. `npm test` leaves out those of the newest VS Code that are
 * marked `@all`, and of the oldest takes those that are marked `@core`. `--rest` is what that leaves for `--all`; in the oldest it
 * is everything once more, since a test goes on from what those before it in its file left.
 */
function selection(version: HostVersion): string | undefined {
  const own = line.grep === undefined ? '' : `(?=[^]*(?:${line.grep}))`;
  if (!isWhole) return wanted('e2e') ? own : undefined;
  if (line.all) return own;
  const [usual, rest] = version === newestHost ? ['(?![^]*@all)', '(?=[^]*@all)'] : ['(?=[^]*@core)', ''];
  return `^${line.rest ? rest : usual}${own}`;
}

endWithParent();
const line = readCommandLine();
const isWhole = line.suites.length === 0;
const wanted = (suite: SuiteName) => (isWhole ? !line.rest : line.suites.includes(suite));
const built = once(() => runProcess(process.execPath, [join(projectRoot, 'esbuild.js')], { cwd: projectRoot }));
const vsix = once(async () => {
  const file = join((await temporaryFolder()).path, 'automation-platform.vsix');
  await packageExtension(file);
  return file;
});
const suites: Suite[] = [];
let first = nothingRan;
if (isWhole && !line.rest) {
  // Tests whose source has gone are not to run, and what is removed has to be compiled again.
  for (const name of ['unit', 'host', 'e2e']) await rm(join(compiledTests, name), { recursive: true, force: true });
  await rm(join(compiledTests, '..', 'tsconfig.tsbuildinfo'), { force: true });
  // What the suites in VS Code need is fetched meanwhile; if it can't be, they try again and say why.
  const fetched = Promise.allSettled([installBrowser(), ...line.versions.map(installHost)]);
  // The compiled tests are what the types are checked with.
  [first] = await Promise.all([play([check('types', 'typescript/bin/tsc', '-p', '.')], 1), fetched, vsix()]);
  suites.push(check('lint', 'oxlint/bin/oxlint', '--type-aware', '--deny-warnings'));
  suites.push(check('format', '@biomejs/biome/bin/biome', 'check'));
}
if (wanted('unit')) suites.push({ name: 'unit', jobs: [() => unitTests()] });
if (isWhole && (line.all || line.rest)) suites.push(...unitTestsElsewhere());
for (const version of line.versions.toReversed()) {
  if (wanted('host')) suites.push(hostSuite(version, line, built));
}
for (const version of line.versions.toReversed()) {
  const chosen = selection(version);
  if (chosen !== undefined) suites.push(await e2eSuite(version, chosen, vsix));
}
const played = sum([first, await play(suites, line.lanes)]);
const isEmpty = played.passed + played.failed.length + played.skipped.length === 0;
const all = isEmpty ? failedToRun('No test matches') : played;
await cleanUp();

// Two lost keys are a busy machine; more are something else.
const failed = all.triedAgain.length > 2 ? [...all.failed, ...all.triedAgain] : all.failed;
const result = { ...all, failed, passed: all.passed - (failed.length - all.failed.length) };
const list = (what: string, titles: readonly string[]) =>
  console.log(`\n${what}:\n${titles.map((title) => `- ${title}`).join('\n')}`);
if (all.skipped.length > 0) list('Skipped', all.skipped);
if (failed.length > 0) list('Failed', failed);
if (all.triedAgain.length > 0) console.log(`\n${all.triedAgain.length} tried again: ${all.triedAgain.join('; ')}`);
console.log(`\n${countsLine(result)}`);
process.exit(failed.length > 0 ? 1 : 0);
