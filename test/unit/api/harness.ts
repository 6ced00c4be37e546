/** What tests of the client share: a client with a local platform, servers that misbehave, and calls. */
import { strict as assert } from 'node:assert';
import { createServer, isIP, type Socket } from 'node:net';
import tls from 'node:tls';
import { AnswerHistory } from '../../../src/api/answerer/answerHistory.js';
import type { Call, Phase, RequestLogEntry, Target } from '../../../src/api/call.js';
import { Client } from '../../../src/api/client.js';
import { ApiError, type Failure } from '../../../src/api/failure.js';
import type { Resolve } from '../../../src/api/network/open.js';
import type { ProxySource, RouteSettings } from '../../../src/api/network/route.js';
import { Router, type RouterOptions } from '../../../src/api/network/router.js';
import type { ReadCertificates } from '../../../src/api/network/trust.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { Sender, type SenderOptions } from '../../../src/api/sender.js';
import { type SetTimer, setTimer } from '../../../src/api/timers.js';
import { createAuthority } from '../../support/platform/certificates.js';
import { DEFAULT_TOKEN, healthy } from '../../support/platform/data.js';
import { listen } from '../../support/platform/listen.js';
import {
  type Platform,
  type PlatformOptions,
  startPlatform,
} from '../../support/platform/platform.js';

export const deploymentId = 'dep_billing';
export const platformHost = 'platform.test.example';

/** An authority that the client finds in the system's store, which not every Node can read; `systemStore.test.ts` reads the real one. */
export const authority = await createAuthority('Test authority in the system');
const readCertificates: ReadCertificates = () =>
  Promise.resolve([...tls.rootCertificates, authority.cert]);

/** The certificate and key of a platform with the name `platformHost`. */
export const platformTls = { ...(await authority.issue([platformHost])), name: platformHost };

/** The environment variable that turns certificate checks off; `used()` unsets it after each test. */
export const rejectUnauthorized = 'NODE_TLS_REJECT_UNAUTHORIZED';

export const plainSettings: RouteSettings = {
  proxySupportOff: false,
  proxies: [],
  noProxy: [],
  proxyAuthorization: '',
  proxyStrictSSL: true,
  systemCertificates: true,
};

export function named(address: string, from: ProxySource = 'http.proxy'): RouteSettings['proxies'] {
  return [{ source: from, address }];
}

/**
 * Timers that a test can end early. A test of a time-out at a certain step waits for that step and then
 * ends the time-out: on a busy machine a short one would be over before the request gets there.
 */
class HurriedTimers {
  /** What ends each wait, and how many milliseconds it lasts. */
  private readonly waits = new Map<() => void, number>();

  readonly set: SetTimer = (callback, milliseconds) => {
    const dispose = (): void => {
      timer.dispose();
      this.waits.delete(end);
    };
    const end = (): void => {
      dispose();
      callback();
    };
    const timer = setTimer(end, milliseconds);
    this.waits.set(end, milliseconds);
    return { dispose };
  };

  /** Ends all waits of at most so many milliseconds, but none that begins meanwhile. */
  end(longest = Number.POSITIVE_INFINITY): void {
    const due = [...this.waits].filter(([, milliseconds]) => milliseconds <= longest);
    for (const [end] of due) end();
  }
}

/**
 * A client with a local platform of its own. A test reads what was requested, logged, and resolved.
 * Repeats follow without a delay unless `options` has one.
 */
export class Harness {
  platform!: Platform;
  sender!: Sender;
  client!: Client;
  router!: Router;
  target!: Target;
  readonly secrets = new KnownSecrets();
  readonly history = new AnswerHistory();
  readonly entries: RequestLogEntry[] = [];
  /** May be changed while requests are under way. */
  readonly limits = { requestTimeout: 5000, maxConcurrentRequests: 8 };
  /** The addresses of names; other names cannot be resolved. */
  names: Readonly<Record<string, readonly string[]>> = {};
  readonly resolved: string[] = [];
  /** For time-outs and pauses. */
  readonly timers = new HurriedTimers();
  settings = plainSettings;

  constructor(
    private readonly options: Partial<SenderOptions & RouterOptions> = {},
    private readonly platformOptions: PlatformOptions = {},
  ) {}

  async start(): Promise<this> {
    const deployments = new Map<string, unknown>([[deploymentId, healthy()]]);
    const data = { deployments, apiKeys: new Set(['key_1']), ...this.platformOptions.data };
    this.platform = await startPlatform({ ...this.platformOptions, data });
    this.router = new Router({
      settings: () => this.settings,
      requestTimeout: () => this.limits.requestTimeout,
      resolve: this.resolve,
      readCertificates,
      setTimer: this.timers.set,
      ...this.options,
    });
    this.sender = new Sender({
      limits: () => this.limits,
      router: this.router,
      onRequest: (entry) => this.entries.push(entry),
      secrets: this.secrets,
      history: this.history,
      delay: soon,
      setTimer: this.timers.set,
      ...this.options,
    });
    this.client = new Client(this.sender, this.router);
    this.target = { organizationId: 'org_1', baseUrl: this.platform.baseUrl, token: DEFAULT_TOKEN };
    return this;
  }

  reset(): void {
    this.platform.reset();
    this.entries.length = 0;
    Object.assign(this.limits, { requestTimeout: 5000, maxConcurrentRequests: 8 });
    this.names = {};
    this.resolved.length = 0;
    this.settings = plainSettings;
    this.router.forget();
    this.history.forgetAll();
  }

  async stop(): Promise<void> {
    await this.sender.close();
    await this.platform.stop();
  }

  readonly read = (call: Call = newCall(), target = this.target, id = deploymentId) =>
    this.client.getDeploymentAuthorization(target, id, call);
  readonly lookUp = (call: Call = newCall(), target = this.target, token = 'install-1') =>
    this.client.getIntegrationInstall(target, token, call);
  readonly revoke = (call: Call = newCall(true), target = this.target, keyId = 'key_1') =>
    this.client.deleteApiKey(target, keyId, call);

  /** As when the system's certificates do not come in time. The request goes on: the rest of its time is for connecting. */
  endWaitForCertificates(): void {
    this.timers.end(this.limits.requestTimeout * 0.9);
  }

  /** Asserts that a read and a revocation both end with this failure, and that neither is sent. */
  async failsUnsent(failure: object, target = this.target, id?: string): Promise<void> {
    assert.deepEqual(await failureOf(this.read(undefined, target, id)), failure);
    assert.deepEqual(await this.revoke(undefined, target, id), { kind: 'notSent', failure });
    assert.deepEqual(this.platform.requests, []);
  }

  readonly resolve: Resolve = async (host) => {
    this.resolved.push(host);
    const addresses = this.names[host];
    if (!addresses) throw Object.assign(new Error(host), { code: 'ENOTFOUND' });
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
}

/** Starts the harness before the tests of a `describe`, resets it before each, and stops it at the end. */
export function used(harness: Harness): Harness {
  before(async () => {
    await harness.start();
  });
  beforeEach(() => harness.reset());
  afterEach(() => {
    delete process.env[rejectUnauthorized];
  });
  after(() => harness.stop());
  return harness;
}

/** An editor's `fetch` that reaches the platform by any name, also by one that cannot be resolved. */
export function editorWayTo(platform: () => Platform): typeof fetch {
  return (input, init) => {
    assert.ok(typeof input === 'string');
    return fetch(input.replace(/^https:\/\/[^/]+/, new URL(platform().baseUrl).origin), init);
  };
}

export function portOf({ baseUrl }: Platform): number {
  return Number(new URL(baseUrl).port);
}

/** Makes a call. The test gets the phases that it went through, and `cancel()`. */
export function newCall(
  urgent = false,
): Call & { readonly phases: Phase[]; readonly cancel: () => void } {
  const controller = new AbortController();
  const phases: Phase[] = [];
  const onPhase = (phase: Phase): void => {
    phases.push(phase);
  };
  return { signal: controller.signal, urgent, onPhase, phases, cancel: () => controller.abort() };
}

/** The failure that a read ends with. Anything else than an `ApiError`, or an answer, fails the test. */
export async function failureOf(read: Promise<unknown>): Promise<Failure> {
  const error: unknown = await read.then(
    (answer) => assert.fail(`expected a failure, got ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, `expected an ApiError, got ${String(error)}`);
  assert.equal(error.cause, undefined);
  return error.failure;
}

/** A port of this machine at which no server listens. */
export const closedPort = 1;

/** Starts a server that accepts connections and never answers: neither TLS nor HTTP begins. */
export async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.resume());
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  const untilSpokenTo = async (): Promise<void> => {
    while (![...sockets].some(({ bytesRead }) => bytesRead > 0)) await settle(1);
  };
  const untilConnections = async (count: 'some' | 'none'): Promise<void> => {
    while (sockets.size > 0 !== (count === 'some')) await settle(1);
  };
  const stop = (): void => {
    server.close();
  };
  return { port: await listen(server), sockets, untilSpokenTo, untilConnections, stop };
}

/** Wraps work that `start()` begins; `begun` then resolves. */
export function watched<T>(work: Promise<T>) {
  let begin: () => void = assert.fail;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const start = (): Promise<T> => {
    begin();
    return work;
  };
  return { begun, start };
}

export const never = new Promise<never>(() => {});

/** In place of a delay. Not at once, since pauses are waited for until the clock says that they are over. */
export async function soon(_ms: number, signal: AbortSignal): Promise<void> {
  await settle(1);
  signal.throwIfAborted();
}

/** Lets everything that is ready happen. */
export function settle(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
