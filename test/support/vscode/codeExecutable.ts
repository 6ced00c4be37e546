import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../cleanup.js';

/** Writes an executable that behaves as a VS Code's `code`: @vscode/test-electron starts it as it would a downloaded one. */
export async function writeCodeExecutable(folder: string): Promise<string> {
  const script = fileURLToPath(new URL('code.js', import.meta.url));
  const pidFile = join(folder, 'code.pid');
  // test-electron ends what it has started on Ctrl+C only.
  onEnd(() => endProcess(pidFile));
  if (process.platform === 'win32') {
    const file = join(folder, 'code.cmd');
    await writeFile(file, `@"${process.execPath}" "${script}" "--pid-file=${pidFile}" %*\r\n`);
    return file;
  }
  const file = join(folder, 'code');
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" "--pid-file=${pidFile}" "$@"\n`);
  await chmod(file, 0o755);
  return file;
}

async function endProcess(pidFile: string): Promise<void> {
  try {
    const pid = Number(await readFile(pidFile, 'utf8'));
    process.kill(pid, 'SIGTERM');
    // It ends its server and its browser first. Asking with signal 0 throws when it is gone.
    for (let waited = 0; waited < 10_000; waited += 50) {
      process.kill(pid, 0);
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has not begun, or has ended.
  }
}
