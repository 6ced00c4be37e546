import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from './paths.js';

const name = 'automation-platform-tools-dev.sample-tour';

/**
 * Puts a little extension beside ours that opens the tree and a file with references: a VS Code in a browser starts with the
 * Explorer, and neither its address nor a setting can say otherwise.
 */
export async function installSampleTour(extensionsDir: string): Promise<void> {
  const folder = `${name}-0.0.0`;
  const target = join(extensionsDir, folder);
  await cp(join(projectRoot, 'test', 'support', 'sampleTour'), target, { recursive: true });
  const list = join(extensionsDir, 'extensions.json');
  const installed: unknown = JSON.parse(await readFile(list, 'utf8'));
  if (!Array.isArray(installed)) throw new Error(`${list} is no list of extensions.`);
  const location = { $mid: 1, path: target.replaceAll('\\', '/'), scheme: 'file' };
  installed.push({ identifier: { id: name }, version: '0.0.0', location, relativeLocation: folder, metadata: {} });
  await writeFile(list, JSON.stringify(installed));
}
