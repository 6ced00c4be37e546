import { existsSync, readFileSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { certificatesForTests } from './certificatesForTests.js';
import type { CommandLine } from './commandLine.js';
import { compiledTests } from './paths.js';
import { openControl } from './service/control.js';
import { startService } from './service/service.js';
import { readResult, type Suite } from './suite.js';
import { temporaryFolder } from './temporaryFolder.js';
import { runInExtensionHost } from './vscode/extensionHost.js';
import type { HostVersion } from './vscode/hostVersions.js';

/** test/host inside a real extension host; `build` makes the bundle that it loads. */
export function hostSuite(
  version: HostVersion,
  { grep, desktop }: Pick<CommandLine, 'grep' | 'desktop'>,
  build: () => Promise<unknown>,
): Suite {
  const name = `host ${version.name}`;
  const job = async () => {
    await build();
    const { path } = await temporaryFolder();
    const report = join(path, 'report.txt');
    const results = join(path, 'results.json');
    const service = await startService();
    const printRest = printLines(report);
    try {
      const { code, output } = await runInExtensionHost({
        version,
        desktop,
        folder: path,
        testsPath: join(compiledTests, 'host', 'index.mjs'),
        timeLimit: 480_000,
        env: {
          AUTOMATION_PLATFORM_TEST_REPORT: report,
          AUTOMATION_PLATFORM_TEST_RESULTS: results,
          AUTOMATION_PLATFORM_TEST_GREP: grep,
          AUTOMATION_PLATFORM_TEST_LABEL: `${version.name} `,
          AUTOMATION_PLATFORM_TEST_SERVICE_CONTROL: await openControl(service),
          ...service.env,
          ...(await certificatesForTests(path)),
        },
      });
      if (code !== 0) console.log(output);
    } finally {
      printRest();
      await service.stop();
    }
    return readResult(results, name);
  };
  return { name, jobs: [job] };
}

/** Prints what comes into a file; the returned function prints the rest. */
function printLines(file: string): () => void {
  let printed = 0;
  const print = () => {
    if (!existsSync(file)) return;
    const bytes = readFileSync(file);
    process.stdout.write(bytes.subarray(printed));
    printed = bytes.length;
  };
  watchFile(file, { interval: 500 }, print);
  return () => {
    unwatchFile(file);
    print();
  };
}
