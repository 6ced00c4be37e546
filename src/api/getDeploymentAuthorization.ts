import type { Answer } from './answer.js';
import type { Call, Target } from './client.js';
import { decodeDeploymentAuthorization } from './decodeDeploymentAuthorization.js';
import type { DeploymentAuthorization } from './deploymentAuthorization.js';
import type { Shared } from './flight.js';
import { sendGet } from './send.js';

export const authorizationTemplate = '/deployments/{deploymentId}/authorization';

/** Reference, 4.3: the accounts and requirements of one deployment. Rejects with `ApiError` only. */
export function getDeploymentAuthorization(
  shared: Shared,
  target: Target,
  deploymentId: string,
  call: Call,
): Promise<Answer<DeploymentAuthorization>> {
  const operation = { method: 'GET', template: authorizationTemplate, id: deploymentId, idIsSecret: false } as const;
  return sendGet(shared, target, operation, call, decodeDeploymentAuthorization);
}
