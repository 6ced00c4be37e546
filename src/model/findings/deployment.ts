import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Failure } from '../../api/failure.js';
import { earliest } from '../base/time.js';
import { Findings, type Problem } from './findings.js';
import type { State } from './order.js';
import { type Mutes, nothingRemembered } from './state.js';

export interface ListedDeployment {
  readonly id: string;
  readonly label?: string;
  readonly group?: string;
}

/** Returns a listed deployment that has only those fields that are not `undefined`. */
export function listedDeployment(
  id: string,
  label: string | undefined,
  group: string | undefined,
): ListedDeployment {
  const listed: { id: string; label?: string; group?: string } = { id };
  if (label !== undefined) listed.label = label;
  if (group !== undefined) listed.group = group;
  return listed;
}

/** The last good answer about a deployment, with what it means. */
export interface LastAnswer extends Answer<DeploymentAuthorization> {
  readonly findings: Findings;
}

/** `mutes`: as they are now. They only decide the order of the findings: muted ones come last. */
export function withFindings(
  answer: Answer<DeploymentAuthorization>,
  deploymentId: string,
  mutes: Mutes = nothingRemembered,
): LastAnswer {
  const isMuted = (problem: Problem): boolean => mutes.muteOf(problem) !== undefined;
  const findings = new Findings(answer, deploymentId, isMuted);
  return { ...answer, findings };
}

/** What is known of one listed deployment now. Immutable: a change replaces the object. */
export interface Deployment extends ListedDeployment {
  /**
   * `label`, or `id` if there is no label. A label that could be taken for another deployment's
   * name is followed by the ID: "Nightly sync (twin_us)".
   */
  readonly name: string;
  readonly state: State;
  /**
   * `idle` while no read of it is to be shown, `waiting` while its request waits for its turn, the
   * end of a pause, or its repetition.
   */
  readonly activity: 'idle' | 'waiting' | 'reading';
  /** Absent until the deployment was read once. */
  readonly answer?: LastAnswer;
  /**
   * Present if the last read failed for no cause that all deployments share; `answer` is older than
   * that. `at`: epoch ms. A failure of all deployments is in `Store.cause` instead, but the check
   * has none of that: there it is present after each failed read.
   */
  readonly failedRead?: { readonly failure: Failure; readonly at: number };
}

export interface DeploymentProblem {
  readonly deployment: Deployment;
  readonly problem: Problem;
}

/** Returns the epoch ms of the last read, good or failed; `undefined` if there was none. */
export function lastAttemptAt(deployment: Deployment | undefined): number | undefined {
  const answeredAt = deployment?.answer?.sentAt;
  const failedAt = deployment?.failedRead?.at;
  if (answeredAt === undefined) return failedAt;
  if (failedAt === undefined) return answeredAt;
  return Math.max(answeredAt, failedAt);
}

/**
 * Returns the epoch ms as of which all that these deployments show was true; `undefined` if none
 * was read. A deployment that could not be read shows just that, which was true at its failed read.
 */
export function oldestAsOf(deployments: readonly Deployment[]): number | undefined {
  const times = deployments.map((deployment) => {
    const { answer, failedRead } = deployment;
    return isUnreadable(deployment) ? failedRead?.at : answer?.asOf;
  });
  const oldest = earliest(times);
  return oldest === Infinity ? undefined : oldest;
}

/**
 * Returns whether the last read failed for no cause that all deployments share. Nothing is claimed
 * of the deployment then.
 */
export function isUnreadable({ state, failedRead }: Deployment): boolean {
  return state === 'unknown' && failedRead !== undefined;
}

/** Returns whether the platform does not permit to read the deployment (403). */
export function isDenied(deployment: Deployment): boolean {
  return isUnreadable(deployment) && deployment.failedRead?.failure.kind === 'notPermitted';
}

/** Returns whether the deployment has a problem that is not muted. */
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

export type CountName = (typeof countedAs)[State] | 'total';

/** Numbers of deployments. */
export interface Counts extends Readonly<Record<CountName, number>> {
  /**
   * Present if the workspace lists other deployments, which do not count because it is not trusted.
   */
  readonly isListIgnored?: true;
  /** Present while it is not known whether the workspace lists other deployments. */
  readonly isListUnread?: true;
  /**
   * The groups that the user has chosen, at least one, in the order of their names, if only their
   * deployments are counted; `undefined` among them stands for *No group*.
   */
  readonly groups?: readonly ListedDeployment['group'][];
}

/**
 * Counts the deployments by what their states mean to the user: failed and not satisfied are
 * failing.
 */
export function countDeployments(deployments: readonly Deployment[]): Counts {
  const counts = {
    total: deployments.length,
    failing: 0,
    unknown: 0,
    notYetRead: 0,
    muted: 0,
    healthy: 0,
  };
  for (const { state } of deployments) counts[countedAs[state]] += 1;
  return counts;
}
