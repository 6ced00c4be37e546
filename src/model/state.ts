/** Worst first: this is the order everywhere (contract, "Words"). */
export const states = ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'satisfied'] as const;

/**
 * failed: an account with an error. notSatisfied: a requirement whose `satisfied` is false. unknown: can't be read, or
 * the service did not say. notYetRead: no answer yet. satisfied: read, and no problem.
 */
export type State = (typeof states)[number];
