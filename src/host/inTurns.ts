import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds of work at a time. */
const length = 5;

/** All values of what makes them one by one; between some of them the extension host answers others. */
export async function inTurns<T>(values: Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  let end = performance.now() + length;
  for (const value of values) {
    all.push(value);
    if (performance.now() < end) continue;
    await turn();
    end = performance.now() + length;
  }
  return all;
}
