/** Returns the index of the last one that begins at `offset` or before it, -1 if all begin behind it. They are in order. */
export function lastUpTo<T>(
  offset: number,
  all: readonly T[],
  startOf: (one: T) => number,
): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (startOf(all[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
