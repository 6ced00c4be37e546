import type { Client } from './client.js';
import { deleteApiKey } from './deleteApiKey.js';
import { getDeploymentAuthorization } from './getDeploymentAuthorization.js';
import { getIntegrationInstall } from './getIntegrationInstall.js';
import { Sender, type SenderOptions } from './send.js';

/** A client together with what its owner has to tell it. */
export interface ManagedClient extends Client {
  /** More requests may be allowed now than when the waiting ones were told to wait. */
  limitsChanged(): void;
  /** Proxy settings or the network changed: routes are decided anew. Requests under way stay as they are. */
  forgetRoutes(): void;
}

export function createClient(options: SenderOptions): ManagedClient {
  const sender = new Sender(options);
  return {
    getDeploymentAuthorization: (target, deploymentId, call) =>
      getDeploymentAuthorization(sender, target, deploymentId, call),
    getIntegrationInstall: (target, installToken, call) => getIntegrationInstall(sender, target, installToken, call),
    deleteApiKey: (target, keyId, call) => deleteApiKey(sender, target, keyId, call),
    pausedUntil: (organizationId) => sender.pausedUntil(organizationId),
    limitsChanged: () => sender.limitsChanged(),
    forgetRoutes: () => sender.forgetRoutes(),
    close: () => sender.close(),
  };
}
