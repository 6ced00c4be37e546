import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { onEnd } from '../cleanup.js';
import { cacheFolder } from '../paths.js';

/** For names of cached folders: what is downloaded for one system does not run on another that shares the cache. */
export const platformName = `${process.platform}-${process.arch}`;

/**
 * The folder `name` of the cache; `fill` makes it if it is not there. It is filled elsewhere and then renamed: a run that is
 * broken off leaves nothing half-made, and of two runs that fill it at once the second takes what the first made.
 */
export async function cached(
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const target = join(cacheFolder, name);
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  const removeDraft = onEnd(() => rm(draft, { recursive: true, force: true }));
  try {
    await fill(draft);
    await rename(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    await removeDraft();
  }
  return target;
}
