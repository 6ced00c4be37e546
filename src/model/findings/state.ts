import { type Finding, type Findings, type Problem, unmutedState } from './findings.js';
import type { State } from './order.js';

/** The mute of a problem. It has not ended. */
export interface Mute {
  /** Epoch ms at which it ends. */
  readonly until: number;
  /** Whether it ends when the problem changes. `until` is then only the latest end. */
  readonly isUntilChange: boolean;
  /** Absent for a mute of the user's own. */
  readonly forEveryone?: MuteForEveryone;
}

/** Says why a problem is muted for everyone who opens the workspace, and for the check. */
export interface MuteForEveryone {
  /** Its last day, by UTC: "2026-12-31". */
  readonly until: string;
  /** Text of the workspace, of at most 200 characters. */
  readonly reason: string;
}

/** Which problems are muted. */
export interface Mutes {
  /** Returns `undefined` if the problem is not muted now. */
  muteOf(problem: Problem): Mute | undefined;
  /**
   * Returns whether the problem counts only because it has changed since it was muted for everyone.
   */
  hasChangedSinceMuted(problem: Problem): boolean;
}

/** What `ProblemMemory` knows of the problems of the organization that is shown. */
export interface Remembered extends Mutes {
  /**
   * Returns the epoch ms at which the problem was first seen; `undefined` if it is not remembered
   * as it is now.
   */
  seenSince(problem: Problem): number | undefined;
  /** Returns whether the user wants to be notified when the problem is fixed. */
  notifies(problem: Problem): boolean;
}

/** What the check, and deployments that are not listed, have in place of a `ProblemMemory`. */
export const nothingRemembered: Remembered = {
  muteOf: () => undefined,
  hasChangedSinceMuted: () => false,
  seenSince: () => undefined,
  notifies: () => false,
};

/** Returns the problems that are not muted, failed accounts first; none without findings. */
export function unmutedProblems(
  findings: Pick<Findings, 'problems'> | undefined,
  mutes: Mutes,
): readonly Problem[] {
  const problems = findings?.problems ?? [];
  return failedFirst(problems.filter((problem) => mutes.muteOf(problem) === undefined));
}

/** Returns the muted problems, failed accounts first; none without findings. */
export function mutedProblems(
  findings: Pick<Findings, 'problems'> | undefined,
  mutes: Mutes,
): readonly Problem[] {
  const problems = findings?.problems ?? [];
  return failedFirst(problems.filter((problem) => mutes.muteOf(problem) !== undefined));
}

/**
 * Returns whether the user has muted the problem, and so wants no notification of it. A mute for
 * everyone is no choice of the user's, who may wait for the fix.
 */
export function isMutedByUser(problem: Problem, mutes: Mutes): boolean {
  const mute = mutes.muteOf(problem);
  return mute !== undefined && mute.forEveryone === undefined;
}

/** Returns whether the user is to be offered a notification of the fix of this problem. */
export function canNotifyOf(problem: Problem, memory: Remembered): boolean {
  return !isMutedByUser(problem, memory) && !memory.notifies(problem);
}

/**
 * Returns the muted problem whose mute ends first; `undefined` if none of the problems is muted.
 */
export function firstToBeUnmuted(problems: readonly Problem[], mutes: Mutes): Problem | undefined {
  let first: Problem | undefined;
  let firstEnd = Infinity;
  for (const problem of problems) {
    const end = mutes.muteOf(problem)?.until;
    if (end === undefined) continue;
    const isEarlier = first === undefined || end < firstEnd;
    if (!isEarlier) continue;
    first = problem;
    firstEnd = end;
  }
  return first;
}

function failedFirst(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ kind }: Problem): number {
  return kind === 'failedAccount' ? 0 : 1;
}

/** Returns the state of a deployment whose last answer has these findings. */
export function stateOfFindings(findings: Findings, mutes: Mutes): Exclude<State, 'notYetRead'> {
  const [worst] = unmutedProblems(findings, mutes);
  if (worst) return worst.kind === 'failedAccount' ? 'failed' : 'notSatisfied';
  if (findings.isIncomplete) return 'unknown';
  return findings.problems.length > 0 ? 'muted' : 'satisfied';
}

/**
 * Returns the state that the row of an account or a requirement shows. A requirement that is not
 * satisfied because its account has failed is muted together with the account.
 */
export function stateOfFinding(finding: Finding, mutes: Mutes): State {
  const { cause } = finding;
  const isMuted = cause !== undefined && mutes.muteOf(cause) !== undefined;
  return isMuted ? 'muted' : unmutedState(finding);
}
