import { setTimeout as sleep } from 'node:timers/promises';
import { Backlog } from './backlog.js';
import type { Client, Exchange } from './client.js';
import { deleteApiKey } from './deleteApiKey.js';
import type { Shared } from './flight.js';
import { getDeploymentAuthorization } from './getDeploymentAuthorization.js';
import { getIntegrationInstall } from './getIntegrationInstall.js';
import { Limiter } from './limiter.js';
import type { Connector } from './network/connector.js';
import { Pauses } from './pauses.js';
import type { KnownSecrets } from './secrets.js';

export interface Limits {
  /** Ms. */
  readonly requestTimeout: number;
  readonly maxConcurrentRequests: number;
}

export interface ClientOptions {
  /** Asked anew for every request. */
  readonly limits: () => Limits;
  readonly connector: Connector;
  readonly onExchange: (exchange: Exchange) => void;
  readonly secrets: KnownSecrets;
  /** A 429 of whichever operation holds this organization until then, epoch ms. */
  readonly onPause?: (organizationId: string, until: number) => void;
  /** Epoch ms. */
  readonly now?: () => number;
  /** 0 to 1, like `Math.random`. */
  readonly random?: () => number;
  /** Resolves after so many ms, or rejects when the signal aborts. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A client together with what its owner has to tell it. */
export interface ManagedClient extends Client {
  /** More requests may be allowed now than when the waiting ones were told to wait. */
  limitsChanged(): void;
  /** Proxy settings or the network changed: routes are decided anew. Requests under way stay as they are. */
  forgetRoutes(): void;
}

export function createClient(options: ClientOptions): ManagedClient {
  const { limits, connector, onExchange, secrets, now = Date.now, random = Math.random } = options;
  const delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  const pauses = new Pauses(now, random, options.onPause);
  const limiter = new Limiter(() => Math.max(1, limits().maxConcurrentRequests), pauses, now);
  const closing = new AbortController();
  const requestTimeout = (): number => limits().requestTimeout;
  const shared: Shared = {
    connector,
    limiter,
    pauses,
    backlog: new Backlog(),
    secrets,
    requestTimeout,
    onExchange,
    now,
    random,
    delay,
    closing: closing.signal,
  };
  return {
    getDeploymentAuthorization: (target, deploymentId, call) =>
      getDeploymentAuthorization(shared, target, deploymentId, call),
    getIntegrationInstall: (target, installToken, call) => getIntegrationInstall(shared, target, installToken, call),
    deleteApiKey: (target, keyId, call) => deleteApiKey(shared, target, keyId, call),
    pausedUntil: (organizationId) => pauses.until(organizationId),
    limitsChanged: () => limiter.update(),
    forgetRoutes: () => connector.forget(),
    close: async () => {
      closing.abort();
      limiter.close();
      await connector.close();
    },
  };
}
