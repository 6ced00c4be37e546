// A test run in a real extension host: of a desktop VS Code, else of the VS Code server with a headless browser.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../paths.js';
import { startProcess } from '../processes.js';
import { downloadDesktop } from './desktop.js';
import type { HostVersion } from './hostVersions.js';

export interface ExtensionHostRun {
  readonly version: HostVersion;
  readonly desktop?: boolean;
  /** For the workspace and the profile. */
  readonly folder: string;
  /** The module whose `run()` decides the exit code. */
  readonly testsPath: string;
  /** Ms. */
  readonly timeLimit: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Ends with the tests' exit code; what was printed is given back if that is not 0. */
export async function runInExtensionHost(run: ExtensionHostRun): Promise<{ code: number; output: string }> {
  const workspace = join(run.folder, 'workspace');
  await mkdir(workspace);
  const node = [process.execPath, fileURLToPath(new URL('code.js', import.meta.url))];
  const [command = '', ...first] = run.desktop ? [(await downloadDesktop(run.version)).executable] : node;
  const args = [
    ...first,
    workspace,
    `--user-data-dir=${join(run.folder, 'u')}`,
    `--extensions-dir=${join(run.folder, 'e')}`,
    `--extensionDevelopmentPath=${projectRoot}`,
    `--extensionTestsPath=${run.testsPath}`,
    '--disable-workspace-trust',
    // As @vscode/test-electron starts it, but without its shell, which breaks paths with spaces on Windows.
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
  ];
  const running = startProcess(command, args, {
    // It ends its server and its browser first.
    patience: 10_000,
    env: {
      AUTOMATION_PLATFORM_TEST_VSCODE: run.version.name,
      AUTOMATION_PLATFORM_TEST_TIME_LIMIT: String(run.timeLimit),
      ...run.env,
    },
  });
  return { code: await running.ended, output: running.output() };
}
