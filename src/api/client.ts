import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import type { Call, Operation, RevocationOutcome, Target } from './call.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { Sender, type SenderOptions } from './sender.js';

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export class Client {
  private readonly sender: Sender;

  constructor(options: SenderOptions) {
    this.sender = new Sender(options);
  }

  /** The accounts and requirements of one deployment. */
  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const operation: Operation = { method: 'GET', template: authorizationTemplate, id: deploymentId };
    return this.sender.get(target, operation, call, decodeDeploymentAuthorization);
  }

  /** A pending installation. `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, installToken: string, call: Call): Promise<Answer<IntegrationInstall>> {
    const secret: Operation = {
      method: 'GET',
      template: installTemplate,
      id: installToken,
      idIsSecretIn: 'everywhere',
    };
    return this.sender.get(target, secret, call, decodeIntegrationInstall);
  }

  /** Permanently revokes an organization API key. Sent once, never repeated. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const secret: Operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' };
    return this.sender.delete(target, secret, call);
  }

  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  pausedUntil(organizationId: string): number | undefined {
    return this.sender.pausedUntil(organizationId);
  }

  /** `limits` says something else than before. */
  limitsChanged(): void {
    this.sender.limitsChanged();
  }

  /** Closes idle connections; requests under way end as cancelled. */
  close(): Promise<void> {
    return this.sender.close();
  }
}
