// The Node that a VS Code version ships, from the registry: its extension host is not to run on whatever Node started us.
import { join } from 'node:path';
import { cached } from './cache.js';
import { installPackage } from './npm.js';

export async function installNode(version: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = await cached(`node-${version}-${platform}-${process.arch}`, async (draft) => {
    console.log(`Installing Node ${version} …`);
    await installPackage(draft, name, version);
  });
  return join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
