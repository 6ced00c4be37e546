// A real VS Code from the npm registry: the built VS Code server inside the package code-server, with a Node of its own.
import { createHash } from 'node:crypto';
import { copyFile, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../paths.js';
import { cached } from './cache.js';
import type { HostVersion } from './hostVersions.js';
import { installNode } from './installNode.js';
import { installLocked } from './npm.js';
import { standIns, writeStandIns } from './standIns.js';

export interface InstalledHost {
  readonly version: HostVersion;
  readonly node: string;
  /** The folder with `out/server-main.js` and `extensions/`. */
  readonly vscode: string;
}

export async function installHost(version: HostVersion): Promise<InstalledHost> {
  const definition = join(projectRoot, 'test', 'support', 'vscode', 'hosts', version.name);
  const key = createHash('sha256');
  key.update(await readFile(join(definition, 'package-lock.json'))).update(JSON.stringify(standIns));
  const [node, folder] = await Promise.all([
    installNode(version.node),
    cached(`host-${version.name}-${key.digest('hex').slice(0, 12)}`, async (draft) => {
      console.log(`Installing VS Code ${version.vscode} (about 300 MB) …`);
      for (const file of ['package.json', 'package-lock.json']) {
        await copyFile(join(definition, file), join(draft, file));
      }
      await installLocked(draft);
      const modules = join(draft, 'node_modules');
      await writeStandIns(modules);
      // The workbench loads some packages (syntax colours) through its own node_modules, which the package comes without.
      // The link is relative, so that it survives the renaming of the folder.
      await symlink('../../..', join(modules, 'code-server', 'lib', 'vscode', 'node_modules'), 'dir');
    }),
  ]);
  return { version, node, vscode: join(folder, 'node_modules', 'code-server', 'lib', 'vscode') };
}
