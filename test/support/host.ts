// Runs test/host inside a real extension host: `npm run test:host -- [--grep X] [--vscode 1.105] [--desktop]`.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificatesForTests } from './certificatesForTests.js';
import { cleanUp } from './cleanup.js';
import { type CommandLine, readCommandLine } from './commandLine.js';
import { compiledTests, projectRoot } from './paths.js';
import { runPerVersion } from './perVersion.js';
import { runProcess } from './processes.js';
import { serviceForTests } from './serviceForTests.js';
import { countsLine, readResult, type SuiteResult, writeResult } from './suiteResult.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runInExtensionHost } from './vscode/extensionHost.js';
import type { HostVersion } from './vscode/hostVersions.js';

const timeLimit = 480_000;

async function main(line: CommandLine): Promise<SuiteResult> {
  const [version] = line.versions;
  if (line.child && version) {
    return runVersion(version, line);
  }
  await runProcess(process.execPath, [join(projectRoot, 'esbuild.js')], { cwd: projectRoot });
  return runPerVersion(fileURLToPath(import.meta.url), line);
}

async function runVersion(version: HostVersion, line: CommandLine): Promise<SuiteResult> {
  const { path } = await temporaryFolder();
  const report = join(path, 'report.txt');
  const results = join(path, 'results.json');
  const service = await serviceForTests();
  console.log(`# host tests, VS Code ${version.vscode}${line.desktop ? ', desktop' : ''}`);
  try {
    const { code, output } = await runInExtensionHost({
      version,
      desktop: line.desktop,
      folder: path,
      testsPath: join(compiledTests, 'host', 'index.mjs'),
      timeLimit,
      env: {
        AUTOMATION_PLATFORM_TEST_REPORT: report,
        AUTOMATION_PLATFORM_TEST_RESULTS: results,
        AUTOMATION_PLATFORM_TEST_GREP: line.grep,
        ...service.env,
        ...(await certificatesForTests(path)),
      },
    });
    if (code !== 0) console.error(output);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
  } finally {
    await service.stop();
  }
  console.log(existsSync(report) ? await readFile(report, 'utf8') : 'The tests never began.');
  return readResult(results);
}

const line = readCommandLine();
const result = await main(line);
await writeResult(line.results, result);
await cleanUp();
if (line.results === undefined) {
  console.log(countsLine(result));
}
process.exit(result.failed > 0 ? 1 : 0);
