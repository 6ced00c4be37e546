import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { type Call, type RevocationOutcome, Sender, type Target } from './send.js';

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export class Client extends Sender {
  /** The accounts and requirements of one deployment. */
  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const operation = { method: 'GET', template: authorizationTemplate, id: deploymentId } as const;
    return this.get(target, operation, call, decodeDeploymentAuthorization);
  }

  /** A pending installation. `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, installToken: string, call: Call): Promise<Answer<IntegrationInstall>> {
    const operation = {
      method: 'GET',
      template: installTemplate,
      id: installToken,
      idIsSecretIn: 'everywhere',
    } as const;
    return this.get(target, operation, call, decodeIntegrationInstall);
  }

  /** Permanently revokes an organization API key. Sent once, never repeated. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' } as const;
    return this.delete(target, operation, call);
  }
}
