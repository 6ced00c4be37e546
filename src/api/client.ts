import type { Answer } from './answer.js';
import { authorizationTemplate, type DeploymentAuthorization, decodeDeploymentAuthorization } from './authorization.js';
import { decodeIntegrationInstall, type IntegrationInstall, installTemplate } from './install.js';
import { type Call, type RevocationOutcome, Sender, type SenderOptions } from './send.js';
import type { Target } from './wireRequest.js';

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export class Client {
  private readonly sender: Sender;

  constructor(options: SenderOptions) {
    this.sender = new Sender(options);
  }

  /** Reference, 4.3: the accounts and requirements of one deployment. */
  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>> {
    const operation = { method: 'GET', template: authorizationTemplate, id: deploymentId } as const;
    return this.sender.get(target, operation, call, decodeDeploymentAuthorization);
  }

  /** Reference, 4.1: a pending installation. `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, installToken: string, call: Call): Promise<Answer<IntegrationInstall>> {
    const operation = {
      method: 'GET',
      template: installTemplate,
      id: installToken,
      idIsSecretIn: 'everywhere',
    } as const;
    return this.sender.get(target, operation, call, decodeIntegrationInstall);
  }

  /** Reference, 4.2: permanently revokes an organization API key. Sent once, never repeated. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
    const operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' } as const;
    return this.sender.delete(target, operation, call);
  }

  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  pausedUntil(organizationId: string): number | undefined {
    return this.sender.pausedUntil(organizationId);
  }

  /** More requests may be allowed now than when the waiting ones were told to wait. */
  limitsChanged(): void {
    this.sender.limitsChanged();
  }

  /** Proxy settings or the network changed: routes are decided anew. Requests under way stay as they are. */
  forgetRoutes(): void {
    this.sender.forgetRoutes();
  }

  /** Closes idle connections; requests under way end as cancelled. */
  close(): Promise<void> {
    return this.sender.close();
  }
}
