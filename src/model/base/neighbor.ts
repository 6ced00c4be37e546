/**
 * Returns the element that takes the place of the `leaving` ones in a list: the next one that
 * stays, or the one before if they are the last. If none of them is shown, returns the first
 * element that stays; `undefined` if none stays.
 */
export function neighborOf<T>(shown: readonly T[], leaving: readonly T[]): T | undefined {
  const leavingSet = new Set(leaving);
  const stays = (element: T): boolean => !leavingSet.has(element);
  const firstLeaving = shown.findIndex((element) => leavingSet.has(element));
  const before = shown.slice(0, Math.max(firstLeaving, 0));
  const after = shown.slice(firstLeaving + 1);
  return after.find(stays) ?? before.findLast(stays);
}
