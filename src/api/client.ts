import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { type Call, type Operation, type RevocationOutcome, Sender, type Target } from './send.js';

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export class Client extends Sender {
  /** The accounts and requirements of one deployment. */
  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const operation: Operation = { method: 'GET', template: authorizationTemplate, id: deploymentId };
    return this.get(target, operation, call, decodeDeploymentAuthorization);
  }

  /** A pending installation. `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, installToken: string, call: Call): Promise<Answer<IntegrationInstall>> {
    const secret: Operation = {
      method: 'GET',
      template: installTemplate,
      id: installToken,
      idIsSecretIn: 'everywhere',
    };
    return this.get(target, secret, call, decodeIntegrationInstall);
  }

  /** Permanently revokes an organization API key. Sent once, never repeated. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const secret: Operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' };
    return this.delete(target, secret, call);
  }
}
