// A real VS Code from the npm registry: the built VS Code server inside the package code-server, with a Node of its own.
import { createHash } from 'node:crypto';
import { copyFile, cp, readdir, readFile, realpath, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../paths.js';
import { cached, platformName } from './cache.js';
import type { HostVersion } from './hostVersions.js';
import { installNode } from './installNode.js';
import { npm, quiet } from './npm.js';

export type InstalledHost = Awaited<ReturnType<typeof installHost>>;

/** `vscode` is the folder with `out/server-main.js` and `extensions/`. */
export async function installHost(version: HostVersion) {
  const support = join(projectRoot, 'test', 'support', 'vscode');
  const definition = join(support, 'hosts', version.name);
  const standIns = join(support, 'standIns');
  const key = createHash('sha256').update(await readFile(join(definition, 'package-lock.json')));
  const files = await readdir(standIns, { recursive: true });
  for (const file of files.filter((one) => one.endsWith('.js')).toSorted()) {
    key.update(await readFile(join(standIns, file)));
  }
  const name = `host-${version.name}-${platformName}-${key.digest('hex').slice(0, 12)}`;
  const server = join('node_modules', 'code-server', 'lib', 'vscode');
  const [node, folder] = await Promise.all([
    installNode(version.node),
    cached(name, async (draft) => {
      console.log(`Installing VS Code ${version.vscode} (about 300 MB) …`);
      for (const file of ['package.json', 'package-lock.json']) {
        await copyFile(join(definition, file), join(draft, file));
      }
      await npm(['ci', ...quiet], draft);
      await cp(standIns, join(draft, 'node_modules'), { recursive: true });
      // The workbench loads some packages (syntax colors) through its own node_modules, which the package comes without. Windows lets
      // everybody make a junction, and no symbolic link; it holds an absolute path, so it names the folder that the draft becomes.
      const modules = join(await realpath(dirname(draft)), name, 'node_modules');
      await symlink(modules, join(draft, server, 'node_modules'), 'junction');
    }),
  ]);
  return { node, vscode: join(folder, server) };
}
