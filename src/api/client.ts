import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import type { ApiRequest, Call, RevocationOutcome, Target } from './call.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import type { Sender } from './sender.js';

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
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
    const request: ApiRequest = { method: 'GET', template: installTemplate, id: token, idIsSecretIn: 'everywhere' };
    return this.sender.get(target, request, call, decodeIntegrationInstall);
  }

  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const request: ApiRequest = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' };
    return this.sender.delete(target, request, call);
  }
}
