import { join } from 'node:path';
import { certificatesForTests } from './certificatesForTests.js';
import { compiledTests } from './paths.js';
import { type Results, readMochaReport } from './results.js';
import { DEFAULT_TOKEN } from './service/data.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runInExtensionHost } from './vscode/extensionHost.js';
import type { HostVersion } from './vscode/hostVersions.js';

export async function hostTests(version: HostVersion, grep?: string, desktop = false): Promise<Results> {
  const { path } = await temporaryFolder();
  const report = join(path, 'report.json');
  const { code, output } = await runInExtensionHost({
    version,
    desktop,
    folder: path,
    testsPath: join(compiledTests, 'host', 'index.mjs'),
    timeLimit: 480_000,
    env: {
      AUTOMATION_PLATFORM_TEST_REPORT: report,
      AUTOMATION_PLATFORM_TEST_GREP: grep,
      // The running extension is signed in; nothing is listed for it to ask.
      AUTOMATION_PLATFORM_BASE_URL: 'http://127.0.0.1:1/api/v1',
      AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
      ...(await certificatesForTests(path)),
    },
  });
  if (code !== 0) console.log(output);
  return readMochaReport(report, `host ${version.name}`);
}
