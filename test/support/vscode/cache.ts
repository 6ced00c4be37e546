// Things that are made once and kept: downloads, unpacked browsers.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd } from '../cleanup.js';
import { cacheFolder } from '../paths.js';

/** For names of cached folders: what is downloaded for one system does not run on another that shares the cache. */
export const platformName = `${process.platform}-${process.arch}`;

/**
 * The folder `name` of the cache; `fill` makes it if it is not there. It is filled elsewhere and then renamed: a run that is
 * broken off leaves nothing half-made, and of two runs that fill it at once the second takes what the first made.
 */
export async function cached(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cacheFolder, name);
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  const removeDraft = onEnd(() => rm(draft, { recursive: true, force: true }));
  try {
    await fill(draft);
    await renamePatiently(draft, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  } finally {
    await removeDraft();
  }
  return target;
}

/** On Windows a virus scanner may hold files of a fresh tree for some seconds. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(from, to);
    } catch (error) {
      const isHeld = error instanceof Error && 'code' in error && /^(?:EPERM|EACCES|EBUSY)$/.test(String(error.code));
      if (!isHeld || existsSync(to) || tries === 20) throw error;
      await sleep(500);
    }
  }
}
