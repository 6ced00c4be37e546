// A desktop VS Code that @vscode/test-electron downloads, with the extension of this checkout.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder, projectRoot } from '../paths.js';
import { startProcess } from '../processes.js';
import type { HostVersion } from './hostVersions.js';

export interface DesktopWindow {
  readonly version: HostVersion;
  /** For the profile. */
  readonly folder: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Opens a window; the process ends with it. As test-electron starts one, but without its shell, which breaks paths with spaces on Windows. */
export async function openDesktop({ version, folder, workspace, env }: DesktopWindow, ...more: readonly string[]) {
  const args = [
    workspace,
    `--user-data-dir=${join(folder, 'data')}`,
    `--extensions-dir=${join(folder, 'e')}`,
    `--extensionDevelopmentPath=${projectRoot}`,
    '--disable-workspace-trust',
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
    ...more,
  ];
  return startProcess(await executable(version), args, { patience: 10_000, env });
}

/** Newer VS Codes for macOS call it otherwise than test-electron expects: https://github.com/microsoft/vscode-test/issues/348. */
async function executable({ vscode: version }: HostVersion): Promise<string> {
  const expected = await downloadAndUnzipVSCode({ version, cachePath: cacheFolder });
  if (existsSync(expected)) return expected;
  const infoPlist = await readFile(join(dirname(expected), '..', 'Info.plist'), 'utf8');
  const name = /<key>CFBundleExecutable<\/key>\s*<string>([^<]+)<\/string>/.exec(infoPlist)?.[1];
  if (name === undefined) throw new Error('The Info.plist of this VS Code names no CFBundleExecutable.');
  return join(dirname(expected), name);
}
