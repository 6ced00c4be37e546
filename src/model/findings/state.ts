import type { Finding, Findings, Identity, Problem } from './findings.js';
import type { State } from './order.js';

/** Tells which problems are muted. */
export interface Mutes {
  /** Epoch ms; `undefined` if it is not muted now. */
  mutedUntil(problem: Identity): number | undefined;
  /** Whether it is muted until it changes, and `mutedUntil` is only the latest end of that. */
  isMutedUntilChange(problem: Identity): boolean;
}

/** What `ProblemMemory` tells of the problems of the organization that is shown. */
export interface Remembered extends Mutes {
  /** Epoch ms; `undefined` if it is seen for the first time. */
  seenSince(problem: Identity): number | undefined;
  /** Whether the user wants to be notified when it is fixed. */
  notifies(problem: Identity): boolean;
}

/** For the check, and for a deployment that is not listed. */
export const nothingRemembered: Remembered = {
  mutedUntil: () => undefined,
  isMutedUntilChange: () => false,
  seenSince: () => undefined,
  notifies: () => false,
};

/** The problems that count. Failed accounts first, also one that stood last because it was muted. */
export function countedProblems(
  findings: Pick<Findings, 'problems'> | undefined,
  mutes: Mutes,
): readonly Problem[] {
  return failedFirst(
    findings?.problems.filter((problem) => mutes.mutedUntil(problem) === undefined),
  );
}

export function mutedProblems(
  findings: Pick<Findings, 'problems'> | undefined,
  mutes: Mutes,
): readonly Problem[] {
  return failedFirst(
    findings?.problems.filter((problem) => mutes.mutedUntil(problem) !== undefined),
  );
}

/** Returns the muted problem whose mute ends first; `undefined` if none of them is muted. */
export function firstToBeUnmuted(problems: readonly Problem[], mutes: Mutes): Problem | undefined {
  let first: Problem | undefined;
  let firstEnd = Number.POSITIVE_INFINITY;
  for (const problem of problems) {
    const end = mutes.mutedUntil(problem);
    if (end === undefined || (first !== undefined && end >= firstEnd)) continue;
    first = problem;
    firstEnd = end;
  }
  return first;
}

function failedFirst(problems: readonly Problem[] = []): readonly Problem[] {
  return problems.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ kind }: Problem): number {
  return kind === 'failedAccount' ? 0 : 1;
}

/** The state of a deployment that was read. */
export function stateOfFindings(findings: Findings, mutes: Mutes): Exclude<State, 'notYetRead'> {
  const [worst] = countedProblems(findings, mutes);
  if (worst) return worst.kind === 'failedAccount' ? 'failed' : 'notSatisfied';
  if (findings.isIncomplete) return 'unknown';
  return findings.problems.length > 0 ? 'muted' : 'satisfied';
}

/** The state of an account or a requirement as its row shows it. An effect is muted with its cause. */
export function stateOfFinding({ cause, state }: Finding, mutes: Mutes): State {
  return cause !== undefined && mutes.mutedUntil(cause) !== undefined ? 'muted' : state;
}
