// Packages the extension as `npm run package` does, in a copy of the checkout: dist/ may be in use by another run.
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from './paths.js';
import { temporaryFolder } from './temporaryFolder.js';
import { npm } from './vscode/npm.js';

const leftOut = new Set(['node_modules', 'out', 'dist', 'coverage', '.git', '.vscode-test']);

export async function packageExtension(vsix: string): Promise<void> {
  const copy = await temporaryFolder();
  for (const name of await readdir(projectRoot)) {
    if (!leftOut.has(name) && !name.endsWith('.vsix')) {
      await cp(join(projectRoot, name), join(copy.path, name), { recursive: true });
    }
  }
  await symlink(join(projectRoot, 'node_modules'), join(copy.path, 'node_modules'), 'junction');
  await mkdir(dirname(vsix), { recursive: true });
  await npm(['run', 'package', '--', '--out', vsix], copy.path);
  await copy.remove();
}
