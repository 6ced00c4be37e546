import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import type { ApiRequest, Call, RevocationOutcome, Target } from './call.js';
import type { Failure } from './failure.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { failureOf } from './network/errorCodes.js';
import type { Sender } from './sender.js';

/** The platform's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export class Client {
  constructor(private readonly sender: Pick<Sender, 'get' | 'delete'>) {}

  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const request: ApiRequest = { method: 'GET', template: authorizationTemplate, id: deploymentId };
    return this.sender.get(target, request, call, decodeDeploymentAuthorization);
  }

  /** `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, token: string, call: Call): Promise<Answer<IntegrationInstall>> {
    const request: ApiRequest = { method: 'GET', template: installTemplate, id: token, idIsSecretIn: 'lookUps' };
    return this.sender.get(target, request, call, decodeIntegrationInstall);
  }

  /** Reads a deployment, because no operation of the platform tests a token. Never rejects. */
  check(
    target: Target,
    call: Pick<Call, 'signal' | 'onStep'>,
    deploymentId = 'connection-check',
  ): Promise<Failure | undefined> {
    const probe = { ...call, urgent: true, isProbe: true };
    return this.getDeploymentAuthorization(target, deploymentId, probe).then(() => undefined, failureOf);
  }

  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const request: ApiRequest = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' };
    return this.sender.delete(target, request, call);
  }
}
