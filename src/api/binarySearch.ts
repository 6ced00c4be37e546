/**
 * Returns the index of the last item that starts at `offset` or before it; -1 if all start behind
 * it. `items` must be in the order of their starts.
 */
export function lastUpTo<T>(
  offset: number,
  items: readonly T[],
  startOf: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  // The items before `low` start at `offset` or before it, those from `high` on behind it.
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (startOf(items[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
