import type { Deployment } from '../model/findings/deployment.js';
import type { Problem } from '../model/findings/findings.js';
import { type Mutes, unmutedProblems } from '../model/findings/state.js';
import type { FailOn } from './arguments.js';

/** The exit code of a check that has read its list. */
export type ExitCode = 0 | 1 | 2;

interface Checked {
  readonly deployments: readonly Deployment[];
  readonly failOn: FailOn;
  /** Knows which problems are muted for everyone. */
  readonly mutes: Mutes;
  /** Whether the list was read completely: an entry that could not be read may be a deployment. */
  readonly isListComplete: boolean;
}

/**
 * Returns 1 for a problem that is not muted and counts by `failOn`, else 2 if something is unknown,
 * else 0.
 */
export function exitCodeOf({ deployments, failOn, mutes, isListComplete }: Checked): ExitCode {
  const problems = deployments.flatMap(({ answer }) => unmutedProblems(answer?.findings, mutes));
  if (problems.some(({ kind }) => doesCount(kind, failOn))) return 1;

  const isAllKnown = deployments.every(isWhollyRead);
  return isAllKnown && isListComplete ? 0 : 2;
}

/** Returns whether a problem of this kind makes the check fail. */
export function doesCount(kind: Problem['kind'], failOn: FailOn): boolean {
  return kind === 'failedAccount' || failOn === 'not-satisfied';
}

/** Returns whether the deployment was read, and nothing of it is unknown. */
export function isWhollyRead({ answer, failedRead }: Deployment): boolean {
  return failedRead === undefined && answer?.findings.isIncomplete === false;
}
