// A desktop VS Code: one that is installed, or one that @vscode/test-electron downloads.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { downloadAndUnzipVSCode, resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import { cacheFolder } from '../paths.js';
import { type RunningProcess, startProcess } from '../processes.js';
import type { HostVersion } from './hostVersions.js';
import { onPath, type Platform } from './platform.js';

/** The program itself, and its command line, `code`. */
export async function downloadDesktop({ vscode: version }: HostVersion) {
  const expected = await downloadAndUnzipVSCode({ version, cachePath: cacheFolder });
  const executable = existsSync(expected) ? expected : await bundleExecutable(expected);
  return { executable, cli: resolveCliPathFromVSCodeExecutablePath(expected) };
}

/** Newer VS Codes for macOS call it otherwise than test-electron expects; the bundle says how. */
async function bundleExecutable(expected: string): Promise<string> {
  const folder = dirname(expected);
  return join(folder, executableName(await readFile(join(folder, '..', 'Info.plist'), 'utf8')));
}

export function executableName(infoPlist: string): string {
  const name = /<key>CFBundleExecutable<\/key>\s*<string>([^<]+)<\/string>/.exec(infoPlist)?.[1];
  if (name === undefined) throw new Error('The Info.plist of this VS Code names no CFBundleExecutable.');
  return name;
}

/** Where the command line of an installed VS Code may be, on systems whose people have one: first what the path says. */
export function installedClis(
  { platform }: Pick<Platform, 'platform'>,
  env: Readonly<Record<string, string | undefined>>,
  home = homedir(),
): readonly string[] {
  if (platform === 'darwin') {
    const bundle = 'Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
    return [...onPath(env['PATH'], posix, 'code'), `/${bundle}`, posix.join(home, bundle)];
  }
  if (platform === 'win32') {
    const roots = [win32.join(env['LOCALAPPDATA'] ?? '', 'Programs'), env['ProgramFiles'] ?? ''];
    const usual = roots.map((root) => win32.join(root, 'Microsoft VS Code', 'bin', 'code.cmd'));
    return [...onPath(env['Path'] ?? env['PATH'], win32, 'code.cmd'), ...usual];
  }
  return [];
}

/** Runs the command line. On Windows it is a script, which needs a shell, and the shell needs quotes. */
export function runCli(cli: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): RunningProcess {
  if (!cli.endsWith('.cmd')) return startProcess(cli, args, { env });
  const line = [cli, ...args].map((part) => `"${part}"`).join(' ');
  return startProcess('cmd.exe', ['/d', '/s', '/c', `"${line}"`], { env, verbatim: true });
}
