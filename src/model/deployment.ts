import type { DeploymentAuthorization } from '../api/authorization.js';
import type { LeftOut } from '../api/decode.js';
import type { Failure } from '../api/failure.js';
import type { Findings } from './findings.js';
import type { State } from './order.js';

/** One entry of the `deployments` setting: what the user listed. */
export interface ListedDeployment {
  readonly id: string;
  readonly label?: string;
}

/** The last good answer of one deployment. */
export interface LastAnswer extends LeftOut {
  readonly authorization: DeploymentAuthorization;
  readonly findings: Findings;
  /** Epoch ms. */
  readonly receivedAt: number;
}

/** What is known of one listed deployment now. Immutable: a change replaces the object. */
export interface Deployment {
  readonly id: string;
  readonly label?: string;
  /** `label`, else `id`. */
  readonly name: string;
  readonly state: State;
  readonly activity: 'idle' | 'waiting' | 'reading';
  readonly answer?: LastAnswer;
  /** The last attempt failed. Together with `answer` the data is stale; without, the deployment is unknown. */
  readonly failure?: { readonly failure: Failure; readonly at: number };
}

/** Epoch ms of the last attempt to read it, good or failed. */
export function lastAttempt(deployment: Deployment | undefined): number | undefined {
  const times = [deployment?.answer?.receivedAt, deployment?.failure?.at].filter((at) => at !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/**
 * Keeps problems and what can't be read, even if it was fine when last read, because nobody knows whether it still is. What nobody
 * has tried to read yet is not kept.
 */
export function isKeptByOnlyProblems({ state, failure }: Deployment): boolean {
  return failure !== undefined || state === 'failed' || state === 'notSatisfied' || state === 'unknown';
}

export interface Counts {
  readonly total: number;
  /** Deployments with at least one problem in their newest answer. */
  readonly withProblems: number;
  readonly unknown: number;
  readonly notYetRead: number;
  readonly stale: number;
  /** Epoch ms of the oldest answer shown, if any. */
  readonly oldest?: number;
}

export function countDeployments(deployments: readonly Deployment[]): Counts {
  let withProblems = 0;
  let unknown = 0;
  let notYetRead = 0;
  let stale = 0;
  let oldest = Infinity;
  for (const { state, answer, failure } of deployments) {
    if (answer === undefined) {
      if (state === 'unknown') unknown++;
      else notYetRead++;
      continue;
    }
    if (answer.findings.problems.length > 0) withProblems++;
    else if (state === 'unknown') unknown++;
    if (failure !== undefined) stale++;
    if (answer.receivedAt < oldest) oldest = answer.receivedAt;
  }
  const counts = { total: deployments.length, withProblems, unknown, notYetRead, stale };
  return oldest === Infinity ? counts : { ...counts, oldest };
}
