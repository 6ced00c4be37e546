import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Failure } from '../../api/failure.js';
import { earliest } from '../base/time.js';
import { Findings, type Identity, type Problem } from './findings.js';
import type { State } from './order.js';
import { type Mutes, nothingRemembered } from './state.js';

export interface ListedDeployment {
  readonly id: string;
  readonly label?: string;
}

export interface LastAnswer extends Answer<DeploymentAuthorization> {
  readonly findings: Findings;
}

/** `mutes`: of now. What is muted stands last. */
export function withFindings(
  answer: Answer<DeploymentAuthorization>,
  deploymentId: string,
  mutes: Mutes = nothingRemembered,
): LastAnswer {
  const isMuted = (problem: Identity): boolean => mutes.mutedUntil(problem) !== undefined;
  const findings = new Findings(answer, deploymentId, isMuted);
  return { ...answer, findings };
}

/** What is known of one listed deployment now. Immutable: a change replaces the object. */
export interface Deployment extends ListedDeployment {
  /** `label`, else `id`; a label that others could share carries the ID. Short forms keep it (`shortName`). */
  readonly name: string;
  readonly state: State;
  readonly activity: 'idle' | 'waiting' | 'reading';
  readonly answer?: LastAnswer;
  /** The last attempt failed while others were answered: it is unknown, and `answer` is stale. What fails for all is in `Store.cause`. */
  readonly failedRead?: { readonly failure: Failure; readonly at: number };
}

export interface DeploymentProblem {
  readonly deployment: Deployment;
  readonly problem: Problem;
}

/** Epoch ms of the last attempt to read it, good or failed. */
export function lastAttemptAt(deployment: Deployment | undefined): number | undefined {
  const times = [deployment?.answer?.sentAt, deployment?.failedRead?.at].filter(
    (at) => at !== undefined,
  );
  return times.length > 0 ? Math.max(...times) : undefined;
}

/**
 * Epoch ms as of which all that these show was true; `undefined` if none was read. What cannot be read shows that it could
 * not be read when it was tried last.
 */
export function oldestAsOf(deployments: readonly Deployment[]): number | undefined {
  const oldest = earliest(
    deployments.map((one) => (isUnreadable(one) ? one.failedRead?.at : one.answer?.asOf)),
  );
  return oldest === Infinity ? undefined : oldest;
}

/** Whether its last read failed while others are answered, so that nothing is claimed of it. */
export function isUnreadable({ state, failedRead }: Deployment): boolean {
  return state === 'unknown' && failedRead !== undefined;
}

/** Whether the platform does not permit to read it (403). */
export function isDenied(deployment: Deployment): boolean {
  return isUnreadable(deployment) && deployment.failedRead?.failure.kind === 'notPermitted';
}

export function isFailing({ state }: Deployment): boolean {
  return countedAs[state] === 'failing';
}

const countedAs = {
  failed: 'failing',
  notSatisfied: 'failing',
  unknown: 'unknown',
  notYetRead: 'notYetRead',
  muted: 'muted',
  satisfied: 'healthy',
} as const satisfies Record<State, string>;

type Numbers = Readonly<Record<(typeof countedAs)[State] | 'total', number>>;

export interface Counts extends Numbers {
  /** Present where the workspace lists others, which are not counted, because it is not trusted. */
  readonly isListIgnored?: true;
  /** Present until it is known whether it lists others. */
  readonly isListUnread?: true;
}

export function countDeployments(deployments: readonly Deployment[]): Counts {
  const counts = {
    total: deployments.length,
    failing: 0,
    unknown: 0,
    notYetRead: 0,
    muted: 0,
    healthy: 0,
  };
  for (const deployment of deployments) counts[countedAs[deployment.state]]++;
  return counts;
}
