// Everything: `npm test`. Ends with one line of counts over all suites.
import { join } from 'node:path';
import { cleanUp, endWithParent } from './cleanup.js';
import { countsLine, failedToRun, nothingRan, readResult, type SuiteResult, sum } from './suiteResult.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runTool, type SuiteRun, tools } from './tools.js';
import { runUnit } from './unit.js';
import { hostVersions } from './vscode/hostVersions.js';
import { installBrowser } from './vscode/installBrowser.js';
import { installHost } from './vscode/installHost.js';

const total: SuiteResult[] = [];

/** Runs a suite, prints what it said under its name, and counts it. */
async function suite(name: string, play: () => Promise<SuiteRun>): Promise<void> {
  const start = Date.now();
  const { output, result } = await play();
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`\n=== ${name}: ${countsLine(result)} (${seconds} s)`);
  if (output.trim() !== '') {
    console.log(output.trimEnd());
  }
  total.push(result);
}

/** A tool that is content or not: one passed or one failed. */
function check(name: string, tool: string, ...args: readonly string[]): Promise<void> {
  return suite(name, async () => {
    const { code, output } = await runTool(tool, args);
    return code === 0
      ? { output: '', result: { ...nothingRan, passed: 1 } }
      : { output: output === '' ? `ended with ${code}` : output, result: failedToRun };
  });
}

async function inVsCode(runner: 'host' | 'e2e', folder: string): Promise<SuiteRun> {
  const file = join(folder, `${runner}.json`);
  const { output } = await runTool(`out/test/support/${runner}.js`, ['--results', file]);
  return { output, result: await readResult(file) };
}

/** What the suites in VS Code need is fetched while the first checks run. */
async function fetchHosts(): Promise<void> {
  try {
    await Promise.all([installBrowser(), ...hostVersions.map(installHost)]);
  } catch (error) {
    // The suites try again and then fail, each with its own reason.
    console.error(error instanceof Error ? error.message : error);
  }
}

endWithParent();
const { path: folder } = await temporaryFolder();
await Promise.all([
  fetchHosts(),
  check('types', tools.types, '-p', '.'),
  check('lint', tools.lint, '--type-aware', '--deny-warnings'),
  check('format', tools.format, 'check'),
]);
await suite('unit', () => runUnit(folder));
await suite('host', () => inVsCode('host', folder));
await suite('e2e', () => inVsCode('e2e', folder));
await cleanUp();

const all = sum(total);
if (all.skipped.length > 0) {
  console.log(`\nSkipped:\n${all.skipped.map((title) => `- ${title}`).join('\n')}`);
}
console.log(`\n${countsLine(all)}`);
process.exit(all.failed > 0 ? 1 : 0);
