import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * Resolves with texts that two names of one file have in common, whether or not the file exists: its
 * path as it is spelled, its path without links, and the number that its disk has for it. Never
 * rejects.
 */
export async function fileKeys(file: string): Promise<readonly string[]> {
  const keys = [spelledKey(file), folded(await realPathOf(file))];
  try {
    const { dev, ino } = await stat(file, { bigint: true });
    keys.push(`${dev}:${ino}`);
  } catch {
    // Only what exists has a number.
  }
  return keys;
}

/** The key that is known without asking the disk. */
export function spelledKey(file: string): string {
  return folded(resolve(file));
}

/** macOS and Windows, as a rule, take two names for one if they differ in upper and lower case. */
function folded(path: string): string {
  return process.platform === 'linux' ? path : path.toLowerCase();
}

/**
 * Resolves with the path without links. Of a path that does not exist, Node resolves nothing, so
 * this function goes up to a folder that exists.
 */
async function realPathOf(path: string, linksLeft = maxLinks): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || linksLeft === 0) return resolve(path);
    const folder = await realPathOf(parent, linksLeft);
    const target = await readlink(path).catch(() => undefined);
    if (target === undefined) return join(folder, basename(path));
    return realPathOf(resolve(folder, target), linksLeft - 1);
  }
}
