import { type State, states } from './state.js';

let collator: Intl.Collator | undefined;

/** The order of names that people see. Made when first needed: it loads collation data. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  collator ??= new Intl.Collator();
  return collator.compare(a, b);
}

/**
 * Sorts by name, and by `id` what has equal names. The collator costs a hundred times an ordinary comparison, and is asked
 * far less often when what it gets is nearly in order: plain lower case is.
 */
export function sortByName<T extends { readonly name: string; readonly id: string }>(
  items: readonly T[],
): readonly T[] {
  return items
    .map((item) => ({ item, plain: item.name.toLowerCase() }))
    .toSorted((a, b) => compareUnits(a.plain, b.plain))
    .map(({ item }) => item)
    .toSorted((a, b) => compareNames(a.name, b.name) || compareUnits(a.id, b.id));
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Worst first. */
export function severity(state: State): number {
  return states.indexOf(state);
}
