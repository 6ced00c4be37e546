import { lazy } from '../base/lazy.js';

/** Worst first, which is the order of rows, counts, and texts everywhere. */
const states = ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'muted', 'satisfied'] as const;

/**
 * The state that a deployment, an account, or a requirement is shown with.
 * - `failed`: an account has an error.
 * - `notSatisfied`: the platform says so of a requirement.
 * - `unknown`: the last read failed, or the platform did not say, or not so that it could be read.
 * - `notYetRead`: there is no answer so far.
 * - `muted`: all problems are muted.
 * - `satisfied`: read, and without a problem; an account with this state works.
 */
export type State = (typeof states)[number];

/** Made when first needed, because it loads collation data. */
const collator = lazy(() => new Intl.Collator(undefined, { numeric: true }));

/** The order of names in every list: `dep_2` before `dep_10`. */
export function compareNames(a: string, b: string): number {
  if (a === b) return 0;
  return collator().compare(a, b);
}

/** Returns a number by which states sort worst first: 0 for the worst. */
export function severity(state: State): number {
  return states.indexOf(state);
}

/** Returns the worst of these states; `satisfied` without any. */
export function worstOf(some: readonly State[]): State {
  return states.find((state) => some.includes(state)) ?? 'satisfied';
}
