// Minutes of random faults in a real extension host: `npm run soak -- [--minutes 10] [--seed 1] [--vscode 1.105]`. Not part of
// `npm test`. Prints closing figures; ends with 1 if anything leaked, got stuck or was lost.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanUp } from '../support/cleanup.js';
import { compiledTests, projectRoot } from '../support/paths.js';
import { runProcess } from '../support/processes.js';
import { serviceForTests } from '../support/serviceForTests.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { runInExtensionHost } from '../support/vscode/extensionHost.js';
import { hostVersion, newestHost } from '../support/vscode/hostVersions.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    vscode: { type: 'string' },
  },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('--minutes takes a number of minutes, --seed a whole number.');
  process.exit(2);
}
const version = values.vscode === undefined ? newestHost : hostVersion(values.vscode);

await runProcess(process.execPath, [join(projectRoot, 'esbuild.js')], { cwd: projectRoot });
const { path } = await temporaryFolder();
const report = join(path, 'report.txt');
const service = await serviceForTests();
console.log(`${minutes} minutes of random faults in VS Code ${version.vscode}, seed ${seed} …`);
let failed = false;
try {
  const { code, output } = await runInExtensionHost({
    version,
    folder: path,
    testsPath: join(compiledTests, 'soak', 'index.mjs'),
    // What is under way at the end is waited for.
    timeLimit: minutes * 60_000 + 120_000,
    env: { AUTOMATION_PLATFORM_SOAK: JSON.stringify({ minutes, seed, report }), ...service.env },
  });
  failed = code !== 0;
  if (failed) console.error(output);
} catch (error) {
  failed = true;
  console.error(error instanceof Error ? error.message : error);
} finally {
  await service.stop();
}
console.log(
  existsSync(report) ? await readFile(report, 'utf8') : 'The extension host ended before the figures were known.',
);
await cleanUp();
process.exit(failed || !existsSync(report) ? 1 : 0);
