/**
 * What takes the place of these once they are gone: the next one, or the one before if they are the
 * last. Where none of them is shown, the first of all.
 */
export function neighborOf<T>(shown: readonly T[], leaving: readonly T[]): T | undefined {
  const gone = new Set(leaving);
  const at = shown.findIndex((one) => gone.has(one));
  const isLeft = (one: T): boolean => !gone.has(one);
  return shown.slice(at + 1).find(isLeft) ?? shown.slice(0, Math.max(at, 0)).findLast(isLeft);
}
