import { join } from 'node:path';
import { certificatesForTests } from './certificatesForTests.js';
import { compiledTests } from './paths.js';
import { type Results, readMochaReport } from './results.js';
import { openControl } from './service/control.js';
import { startService } from './service/service.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runInExtensionHost } from './vscode/extensionHost.js';
import type { HostVersion } from './vscode/hostVersions.js';

/** test/host inside a real extension host, with the bundle in dist/. */
export async function hostTests(version: HostVersion, grep?: string, desktop = false): Promise<Results> {
  const { path } = await temporaryFolder();
  const report = join(path, 'report.json');
  const service = await startService();
  const { code, output } = await runInExtensionHost({
    version,
    desktop,
    folder: path,
    testsPath: join(compiledTests, 'host', 'index.mjs'),
    timeLimit: 480_000,
    env: {
      AUTOMATION_PLATFORM_TEST_REPORT: report,
      AUTOMATION_PLATFORM_TEST_GREP: grep,
      AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL: await openControl(service),
      ...service.env,
      ...(await certificatesForTests(path)),
    },
  });
  if (code !== 0) console.log(output);
  await service.stop();
  return readMochaReport(report, `host ${version.name}`);
}
