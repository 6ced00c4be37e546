// Packages from the registry, outside of the checkout's own node_modules and without running their install scripts.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProcess } from '../processes.js';

export const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

export async function installPackage(folder: string, name: string, version: string): Promise<void> {
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, dependencies: { [name]: version } }),
  );
  await npm(['install', '--no-package-lock', ...quiet], folder);
}

export async function npm(args: readonly string[], cwd: string): Promise<void> {
  const command = process.platform === 'win32' ? ['cmd', '/c', 'npm'] : ['npm'];
  await runProcess(command[0]!, [...command.slice(1), ...args], { cwd });
}
