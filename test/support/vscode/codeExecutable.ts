import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Writes an executable that behaves as a VS Code's `code`: @vscode/test-electron starts it as it would a downloaded one. */
export async function writeCodeExecutable(folder: string): Promise<string> {
  const script = fileURLToPath(new URL('code.js', import.meta.url));
  if (process.platform === 'win32') {
    const file = join(folder, 'code.cmd');
    await writeFile(file, `@"${process.execPath}" "${script}" %*\r\n`);
    return file;
  }
  const file = join(folder, 'code');
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${script}" "$@"\n`);
  await chmod(file, 0o755);
  return file;
}
