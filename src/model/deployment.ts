import type { Answer } from '../api/answer.js';
import type { DeploymentAuthorization } from '../api/authorization.js';
import type { Failure } from '../api/failure.js';
import { type State, severity } from './order.js';
import type { Findings, Problem } from './problems/findings.js';

/** One entry of the `deployments` setting: what the user listed. */
export interface ListedDeployment {
  readonly id: string;
  readonly label?: string;
}

/** The last good answer of one deployment. */
export interface LastAnswer extends Omit<Answer<unknown>, 'value'> {
  readonly authorization: DeploymentAuthorization;
  readonly findings: Findings;
}

/** What is known of one listed deployment now. Immutable: a change replaces the object. */
export interface Deployment extends ListedDeployment {
  /** `label`, else `id`. */
  readonly name: string;
  /** By the last good answer. */
  readonly state: State;
  readonly activity: 'idle' | 'waiting' | 'reading';
  readonly answer?: LastAnswer;
  /** The last attempt failed. Together with `answer` the data is stale; without, the deployment is unknown. */
  readonly failure?: { readonly failure: Failure; readonly at: number };
}

export interface DeploymentProblem {
  readonly deployment: Deployment;
  readonly problem: Problem;
}

/** Epoch ms of the last attempt to read it, good or failed. */
export function lastAttempt(deployment: Deployment | undefined): number | undefined {
  const times = [deployment?.answer?.receivedAt, deployment?.failure?.at].filter((at) => at !== undefined);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** What badge, status bar, description and filter take a deployment for: they all count by this. */
export type Standing = 'failing' | 'unknown' | 'notYetRead' | 'muted' | 'healthy';

export function standing(deployment: Deployment): Standing {
  const state = currentState(deployment);
  if (state === 'failed' || state === 'notSatisfied') return 'failing';
  return state === 'satisfied' ? 'healthy' : state;
}

export function severityOf(deployment: Deployment): number {
  return severity(currentState(deployment));
}

/** Of what was fine or muted and can't be read now, nobody knows whether it still is. */
function currentState({ state, failure }: Deployment): State {
  return failure !== undefined && (state === 'satisfied' || state === 'muted') ? 'unknown' : state;
}

export type Counts = Readonly<Record<Standing | 'total', number>>;

export function countDeployments(deployments: readonly Deployment[]): Counts {
  const counts = { total: deployments.length, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
  for (const deployment of deployments) counts[standing(deployment)]++;
  return counts;
}
