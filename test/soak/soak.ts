// Minutes of random faults in a real extension host: `npm run soak -- [--minutes 10] [--seed 1] [--vscode 1.105]`. Ends with 1 if
// anything leaked, got stuck or was lost.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/cleanup.js';
import { compiledTests, projectRoot } from '../support/paths.js';
import { openControl } from '../support/platform/control.js';
import { healthy, install } from '../support/platform/data.js';
import { startPlatform } from '../support/platform/platform.js';
import { runProcess } from '../support/processes.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { runInExtensionHost } from '../support/vscode/extensionHost.js';
import { hostVersion, newestHost } from '../support/vscode/hostVersions.js';
import type { Job } from './world.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    vscode: { type: 'string', default: newestHost.name },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('--minutes takes a number of minutes, --seed a whole number.');
  process.exit(2);
}
const version = hostVersion(values.vscode);

await runProcess(process.execPath, [join(projectRoot, 'esbuild.js')], { cwd: projectRoot });
const { path: folder } = await temporaryFolder();
const report = join(folder, 'report.txt');
const ids = Array.from({ length: 60 }, (_, index) => `dep_${index}`);
const installTokens = Array.from({ length: 5 }, () => crypto.randomUUID());
const platform = await startPlatform({
  data: {
    deployments: new Map(ids.map((id) => [id, healthy()])),
    installs: new Map(installTokens.map((token) => [token, install()])),
  },
});
const job: Job = {
  minutes,
  seed,
  report,
  ids,
  installTokens,
  control: await openControl(platform),
};
console.log(`${minutes} minutes of random faults in VS Code ${version.vscode}, seed ${seed} …`);
const { code, output } = await runInExtensionHost({
  version,
  folder,
  testsPath: join(compiledTests, 'soak', 'index.mjs'),
  // What is under way at the end is waited for.
  timeLimit: minutes * 60_000 + 120_000,
  env: { AUTOMATION_PLATFORM_SOAK: JSON.stringify(job), ...platform.env },
});
if (code !== 0) console.error(output);
console.log(
  await readFile(report, 'utf8').catch(
    () => 'The extension host ended before the figures were known.',
  ),
);
await cleanUp();
process.exit(code);
