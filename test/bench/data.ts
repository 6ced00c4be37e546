// What the service would send, for rows that need no network.
import type { DeploymentAuthorization } from '../../src/api/authorization.js';
import type { ReadDeployment } from '../../src/model/store/reads.js';
import { many, type WireAuthorization } from '../support/service/data.js';

/** The size that the targets speak of. */
export const deploymentBytes = 2048;

/** Every 50th with a failed account, every 20th with a requirement that is not satisfied. */
export function deployments(count: number): Map<string, WireAuthorization> {
  return many(count, { sizeInBytes: deploymentBytes, failedEvery: 50, unsatisfiedEvery: 20 });
}

export function texts(count: number): Map<string, string> {
  return new Map([...deployments(count)].map(([id, value]) => [id, JSON.stringify(value)]));
}

export function parsed(count: number): Map<string, DeploymentAuthorization> {
  return new Map([...texts(count)].map(([id, text]): [string, DeploymentAuthorization] => [id, JSON.parse(text)]));
}

/** Answers at once. */
export function readFrom(answers: ReadonlyMap<string, DeploymentAuthorization>): ReadDeployment {
  return async (id) => ({ value: answers.get(id)!, decodeIssues: [], receivedAt: Date.now() });
}
