import { lazy } from '../base/lazy.js';

/** Worst first: this is the order everywhere. */
const states = ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'muted', 'satisfied'] as const;

/**
 * failed: an account with an error. notSatisfied: a requirement whose `satisfied` is false. unknown: can't be read, or
 * the platform did not say. notYetRead: no answer yet. muted: its only problems are muted. satisfied: read, and no problem.
 */
export type State = (typeof states)[number];

/** Made when first needed, because it loads collation data. */
const collator = lazy(() => new Intl.Collator(undefined, { numeric: true }));

/** The order of names in every list: `dep_2` before `dep_10`. */
export function compareNames(a: string, b: string): number {
  return a === b ? 0 : collator().compare(a, b);
}

export function severity(state: State): number {
  return states.indexOf(state);
}
