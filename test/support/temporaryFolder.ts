import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from './cleanup.js';

/** A folder that is gone when the run ends. The name is short: it holds Unix sockets, whose paths are limited. */
export async function temporaryFolder() {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'ap-')));
  const remove = onEnd(async () => {
    // A process that was just ended may still write a last file.
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return { path, remove };
}
