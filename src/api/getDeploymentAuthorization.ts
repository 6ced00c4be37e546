import type { Answer } from './answer.js';
import type { Call, Target } from './client.js';
import { decodeDeploymentAuthorization } from './decodeDeploymentAuthorization.js';
import type { DeploymentAuthorization } from './deploymentAuthorization.js';
import type { Sender } from './send.js';

export const authorizationTemplate = '/deployments/{deploymentId}/authorization';

/** Reference, 4.3: the accounts and requirements of one deployment. Rejects with `ApiError` only. */
export function getDeploymentAuthorization(
  sender: Sender,
  target: Target,
  deploymentId: string,
  call: Call,
): Promise<Answer<DeploymentAuthorization>> {
  const operation = { method: 'GET', template: authorizationTemplate, id: deploymentId, idIsSecret: false } as const;
  return sender.get(target, operation, call, decodeDeploymentAuthorization);
}
