import { setImmediate as nextTurn } from 'node:timers/promises';

const sliceMs = 5;

/** All values of what makes them one by one. Between slices the extension host answers others, and keystrokes. */
export async function collectInSlices<T>(values: Iterable<T>, now = () => performance.now()): Promise<T[]> {
  const all: T[] = [];
  let end = now() + sliceMs;
  for (const value of values) {
    all.push(value);
    if (now() < end) continue;
    await nextTurn();
    end = now() + sliceMs;
  }
  return all;
}
