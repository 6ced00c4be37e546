import type { Answer } from './answer.js';
import { type DeploymentAuthorization, getDeploymentAuthorization } from './authorization.js';
import type { Failure } from './failure.js';
import { getIntegrationInstall, type IntegrationInstall } from './install.js';
import { Sender, type SenderOptions } from './send.js';

/** Which server, with whose token. A token is only ever sent to its own base URL. */
export interface Target {
  /** Opaque id: a 429 pauses one organization, not the others. */
  readonly organizationId: string;
  /** As `parseBaseUrl` returned it: no trailing slash. */
  readonly baseUrl: string;
  /** Bearer token of the slot that the operation uses. */
  readonly token: string;
}

/** Where a request stands before its answer. Waiting does not count towards the time-out. */
export type Phase =
  | { readonly kind: 'waiting' }
  /** `until`: epoch ms, a 429 paused this organization. */
  | { readonly kind: 'paused'; readonly until: number }
  /** It has left the queue. Nothing of it is on its way: look-up, connection, TLS. */
  | { readonly kind: 'connecting' }
  /** It is on its way. Before a repeat it waits again. */
  | { readonly kind: 'sending' };

export interface Call {
  readonly signal: AbortSignal;
  /** A person asked for this one: it goes ahead of bulk work. */
  readonly urgent: boolean;
  readonly onPhase?: (phase: Phase) => void;
}

/**
 * What became of a revocation (contract, "Revocation"). `revoked`: any 2xx except 202. `refused`: 4xx.
 * `unknown`: sent, and then no status line, 202, 3xx or 5xx. `notSent`: nothing left this machine.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** The service's three operations. Reads reject with `ApiError` only; a revocation never rejects. */
export interface Client {
  /** Reference 4.3. */
  getDeploymentAuthorization(
    target: Target,
    deploymentId: string,
    call: Call,
  ): Promise<Answer<DeploymentAuthorization>>;
  /** Reference 4.1; `target.token` is a user session token if there is one. */
  getIntegrationInstall(target: Target, installToken: string, call: Call): Promise<Answer<IntegrationInstall>>;
  /** Reference 4.2: sent once, never repeated. */
  deleteApiKey(target: Target, keyId: string, call: Call): Promise<RevocationOutcome>;
  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  pausedUntil(organizationId: string): number | undefined;
  /** Closes idle connections; requests under way end as cancelled. */
  close(): Promise<void>;
}

/** One finished request, for the log: path template instead of path, no credential, no id. */
export interface Exchange {
  readonly method: 'GET' | 'DELETE';
  /** For example `/deployments/{deploymentId}/authorization`. */
  readonly template: string;
  readonly host: string;
  readonly status?: number;
  readonly failure?: Failure;
  /** Decoded bytes of the body. */
  readonly bytes: number;
  /** From leaving the queue to the last byte, ms. */
  readonly duration: number;
  readonly attempts: number;
}

/** Reference, 4.2: permanently revokes an organization API key. Sent once; never rejects. */
function deleteApiKey(sender: Sender, target: Target, keyId: string, call: Call): Promise<RevocationOutcome> {
  const operation = { method: 'DELETE', template: '/api-keys/{keyId}', id: keyId, idIsSecretIn: 'texts' } as const;
  return sender.delete(target, operation, call);
}

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
