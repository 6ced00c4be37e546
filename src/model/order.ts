import { type State, states } from './state.js';

let collator: Intl.Collator | undefined;

/** The order of names that people see. Made when first needed: it loads collation data. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  collator ??= new Intl.Collator();
  return collator.compare(a, b);
}

/** Worst first. */
export function severity(state: State): number {
  return states.indexOf(state);
}
