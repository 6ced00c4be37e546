import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes in use once everything that can go is gone: the least of several looks, since what is under way is not meant. */
export async function heapInUse(rest: () => PromiseLike<unknown>): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    collect();
    // Finalizers and closed sockets need a turn.
    await rest();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}
