// Runs test/e2e against the packaged extension in the real workbench: `npm run test:e2e -- [--grep X] [--vscode 1.105]`.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUp } from './cleanup.js';
import { type CommandLine, readCommandLine } from './commandLine.js';
import { packageExtension } from './packageExtension.js';
import { compiledTests } from './paths.js';
import { runPerVersion } from './perVersion.js';
import { runMocha } from './runMocha.js';
import { countsLine, failedToRun, type SuiteResult, writeResult } from './suiteResult.js';
import { temporaryFolder } from './temporaryFolder.js';
import type { HostVersion } from './vscode/hostVersions.js';
import { pictureFailures } from './workbench/pictureFailures.js';
import { startSession } from './workbench/session.js';

/** For the whole suite in one version. */
const timeLimit = 1_200_000;

async function main(line: CommandLine): Promise<SuiteResult> {
  const [version] = line.versions;
  if (line.child && line.vsix !== undefined && version) {
    return runVersion(version, line, line.vsix);
  }
  const folder = await temporaryFolder();
  const vsix = join(folder.path, 'automation-platform.vsix');
  await packageExtension(vsix);
  return runPerVersion(fileURLToPath(import.meta.url), line, ['--vsix', vsix]);
}

async function runVersion(version: HostVersion, line: CommandLine, vsix: string): Promise<SuiteResult> {
  console.log(`# UI tests, VS Code ${version.vscode}`);
  await startSession(version, vsix);
  const tooLong = new Promise<SuiteResult>((resolve) => {
    setTimeout(() => {
      console.log(`The tests did not end within ${timeLimit / 1000} s.`);
      resolve(failedToRun);
    }, timeLimit).unref();
  });
  const tests = runMocha({
    folder: join(compiledTests, 'e2e'),
    timeout: 60_000,
    slow: 15_000,
    // A browser on a busy machine loses a key or a hover now and then. Once more, and said; where much failed it was not that.
    filesTriedAgain: 3,
    ...(line.grep !== undefined && { grep: line.grep }),
    print: (text) => console.log(text),
    rootHooks: pictureFailures,
  });
  return Promise.race([tests, tooLong]);
}

const line = readCommandLine();
let result = failedToRun;
try {
  result = await main(line);
} catch (error) {
  console.error(error);
}
await writeResult(line.results, result);
await cleanUp();
if (line.results === undefined) {
  console.log(countsLine(result));
}
process.exit(result.failed > 0 ? 1 : 0);
