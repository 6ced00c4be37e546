/** A client of ours and the local service, with what a test needs to look at. */
import { strict as assert } from 'node:assert';
import type { Answer } from '../../../src/api/answer.js';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { Client } from '../../../src/api/client.js';
import { ApiError, type Failure } from '../../../src/api/failure.js';
import type { IntegrationInstall } from '../../../src/api/install.js';
import { Opening } from '../../../src/api/network/open.js';
import { Pool } from '../../../src/api/network/pool.js';
import type { Connector } from '../../../src/api/network/router.js';
import { type Phase } from '../../../src/api/queue.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import type { Call, Exchange, RevocationOutcome, SenderOptions, Target } from '../../../src/api/send.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Service, type ServiceOptions, startService } from '../../support/service/service.js';

export const deploymentId = 'dep_billing';

export interface Harness {
  readonly service: Service;
  readonly client: Client;
  readonly target: Target;
  readonly secrets: KnownSecrets;
  readonly exchanges: Exchange[];
  /** May be changed while requests are under way. */
  readonly limits: { requestTimeout: number; maxConcurrentRequests: number };
  readonly read: (call?: Call, target?: Target, id?: string) => Promise<Answer<DeploymentAuthorization>>;
  readonly lookUp: (call?: Call, target?: Target, token?: string) => Promise<Answer<IntegrationInstall>>;
  readonly revoke: (call?: Call, target?: Target, keyId?: string) => Promise<RevocationOutcome>;
  stop(): Promise<void>;
}

/** Without a delay before repeats and without jitter, unless `options` says otherwise. */
export async function startHarness(
  options: Partial<SenderOptions> = {},
  serviceOptions: ServiceOptions = {},
): Promise<Harness> {
  const service = await startService({ ...serviceOptions });
  service.putDeployment(deploymentId, healthy());
  const secrets = new KnownSecrets();
  const exchanges: Exchange[] = [];
  const limits = { requestTimeout: 5000, maxConcurrentRequests: 8 };
  const client = new Client({
    limits: () => limits,
    connector: directConnector(),
    onExchange: (exchange) => exchanges.push(exchange),
    secrets,
    delay: () => Promise.resolve(),
    random: () => 0,
    ...options,
  });
  const own = { organizationId: 'org_1', baseUrl: service.baseUrl, token: DEFAULT_TOKEN };
  return {
    service,
    client,
    target: own,
    read: (call = newCall(), target = own, id = deploymentId) => client.getDeploymentAuthorization(target, id, call),
    lookUp: (call = newCall(), target = own, token = 'install-1') => client.getIntegrationInstall(target, token, call),
    revoke: (call = newCall(true), target = own, keyId = 'key_1') => client.deleteApiKey(target, keyId, call),
    secrets,
    exchanges,
    limits,
    stop: async () => {
      await client.close();
      await service.stop();
    },
  };
}

/** Straight to the service, without a second way. */
export function directConnector(): Connector {
  const pool = new Pool((origin, signal) => new Opening({}, signal).connectTo(origin));
  return {
    exchange: (request) => pool.exchange(request),
    forget: () => pool.forget(),
    close: () => pool.close(),
  };
}

/** A call, the phases it went through, and what cancels it. */
export function newCall(urgent = false): Call & { readonly phases: Phase[]; cancel(): void } {
  const controller = new AbortController();
  const phases: Phase[] = [];
  return {
    signal: controller.signal,
    urgent,
    onPhase: (phase) => void phases.push(phase),
    phases,
    cancel: () => controller.abort(),
  };
}

/** The failure that a read ends with. Anything else than an `ApiError`, or an answer, fails the test. */
export async function failureOf(read: Promise<unknown>): Promise<Failure> {
  const error: unknown = await read.then(
    (answer) => assert.fail(`expected a failure, got ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, `expected an ApiError, got ${String(error)}`);
  // Flat: no chain of causes, nothing circular.
  assert.equal(error.cause, undefined);
  JSON.stringify(error);
  return error.failure;
}

/** Lets everything that is ready happen. */
export function settle(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
