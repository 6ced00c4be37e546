/**
 * The platform on this machine: a real HTTP server with the three operations of docs/service.md, for tests and for `npm start`.
 * What docs/service.md does not show (status codes, error bodies, who may do what) is a choice made here.
 */
import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_TOKEN, type PlatformData, type TokenKind } from './data.js';
import {
  type Fault,
  faultFor,
  matches,
  type Route,
  replacesAnswer,
  type TargetedFault,
} from './faults.js';
import { listen } from './listen.js';
import { operate, routeOf } from './operations.js';
import { faultyAnswer, send } from './send.js';

/** `open`: no answer yet. `broken`: the platform broke the connection. `aborted`: the client left before its answer was complete. */
type RequestState = 'open' | 'held' | 'answered' | 'broken' | 'aborted';

export interface RequestRecord {
  method: string;
  /** As it came, percent-encoding and all. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Milliseconds since 1970. */
  receivedAt: number;
  route: Route;
  connection: string;
  state: RequestState;
}

export interface PlatformOptions {
  /** Taken over as it is, not copied; what is not given is empty. */
  data?: Partial<PlatformData>;
  /** The access token. `DEFAULT_TOKEN` if absent; more tokens are part of the data. */
  token?: string;
  /** Serves TLS. `name` is the host name that goes into the base URL. */
  tls?: { key: string; cert: string; name?: string };
}

export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const platform = new Platform(options);
  await platform.start();
  return platform;
}

/** What a test can do with the platform; from another process as `PlatformControl`. */
export class Platform {
  /** Ends in /api/v1. */
  baseUrl = '';
  readonly token: string;
  readonly data: PlatformData;
  readonly requests: RequestRecord[] = [];
  private readonly initial: PlatformData;
  private readonly server: ReturnType<typeof createServer>;
  /** Says `change` when a request comes or its state changes, and `release` to answers that are held. */
  private readonly events = new EventEmitter().setMaxListeners(0);
  private faults: TargetedFault[] = [];
  /** The TCP connections by their peers, which are those of the TLS sockets above them too. */
  private readonly connections = new Map<string, Socket>();
  /** Requests without a complete answer, with what says how they ended. */
  private readonly open = new Map<RequestRecord, (state: RequestState) => void>();
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: PlatformOptions) {
    const empty = {
      deployments: new Map(),
      installs: new Map(),
      apiKeys: new Set<string>(),
      tokens: new Map(),
    };
    this.data = { ...empty, standing: [], ...options.data };
    this.token = options.token ?? DEFAULT_TOKEN;
    this.data.tokens.set(this.token, 'access');
    this.initial = structuredClone(this.data);

    const { tls } = options;
    // Far above what a sane client sends, so that it is the client's limits that a test sees; idle connections are kept.
    const http = { maxHeaderSize: 256 * 1024, keepAliveTimeout: 0, requestTimeout: 0 };
    this.server =
      tls === undefined
        ? createServer(http)
        : createTlsServer({ ...http, key: tls.key, cert: tls.cert });
    this.server.on('connection', (tcp: Socket) => {
      const key = peer(tcp);
      this.connections.set(key, tcp);
      // Resets are part of the game; without a listener they would end the process.
      tcp.on('error', () => {}).once('close', () => this.connections.delete(key));
    });
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) =>
      this.serve(request, response),
    );
  }

  get env(): Readonly<Record<string, string>> {
    return { AUTOMATION_PLATFORM_BASE_URL: this.baseUrl, AUTOMATION_PLATFORM_TOKEN: this.token };
  }

  async start(): Promise<void> {
    const { tls } = this.options;
    const port = await listen(this.server);
    this.baseUrl = `${tls === undefined ? 'http' : 'https'}://${tls?.name ?? '127.0.0.1'}:${port}/api/v1`;
  }

  putDeployment(id: string, authorization: unknown): void {
    this.data.deployments.set(id, authorization);
  }

  putInstall(token: string, install: unknown): void {
    this.data.installs.set(token.toLowerCase(), install);
  }

  putToken(token: string, kind: TokenKind = 'access'): void {
    this.data.tokens.set(token, kind);
  }

  /** Replaces the given members, whole. */
  putData(data: Partial<PlatformData>): void {
    Object.assign(this.data, data);
  }

  fault(target: Route | 'all', fault: Fault): void {
    this.faults.push({ target: target === 'all' ? {} : target, fault: { ...fault } });
  }

  /** All of them, or those set with exactly this target. What is held stays held. */
  clearFaults(target?: Route): void {
    this.faults = this.faults.filter((one) => target && !isDeepStrictEqual(one.target, target));
  }

  release(): void {
    this.events.emit('release');
  }

  clearRequests(): void {
    this.requests.length = 0;
  }

  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') return this.server.closeIdleConnections();
    for (const settle of this.open.values()) settle('broken');
    for (const tcp of this.connections.values()) tcp.destroy();
  }

  /** Back to the data at the start, without faults, held answers or recorded requests. */
  reset(): void {
    Object.assign(this.data, structuredClone(this.initial));
    this.clearFaults();
    this.release();
    this.clearRequests();
  }

  async waitForRequests(
    count: number,
    filter: Route & { state?: RequestState | RequestState[] } = {},
    timeoutMs = 5000,
  ): Promise<RequestRecord[]> {
    const late = AbortSignal.timeout(timeoutMs);
    for (;;) {
      const found = this.requests.filter(
        ({ route, state }) =>
          matches(filter, route) && [filter.state ?? state].flat().includes(state),
      );
      if (found.length >= count) return found;
      await once(this.events, 'change', { signal: late }).catch((cause: unknown) => {
        const seen = this.requests
          .map(({ method, path, state }) => `${method} ${path} (${state})`)
          .join(', ');
        const wanted = `${found.length} of ${count} requests like ${JSON.stringify(filter)}`;
        throw new Error(`${wanted}; recorded: ${seen || 'none'}`, { cause });
      });
    }
  }

  stop(): Promise<void> {
    this.stopped ??= new Promise((resolve) => {
      this.server.close(() => resolve());
      this.closeConnections('all');
    });
    return this.stopped;
  }

  private setState(record: RequestRecord, state: RequestState): void {
    record.state = state;
    this.events.emit('change');
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url: path = '', headers } = request;
    const connection = peer(request.socket);
    const tcp = this.connections.get(connection);
    if (!tcp) {
      request.socket.destroy();
      return;
    }
    // To the end, though no operation takes a body.
    request.on('error', () => {}).resume();
    const record: RequestRecord = {
      method,
      path,
      headers,
      receivedAt: Date.now(),
      route: routeOf(method, path),
      connection,
      state: 'open',
    };
    const gone = new AbortController();
    const settle = (state: RequestState) => {
      if (this.open.delete(record)) this.setState(record, state);
    };
    this.open.set(record, settle);
    this.requests.push(record);
    this.events.emit('change');
    // 'close' follows a complete answer too; where we broke the connection ourselves, that has been settled before.
    response.once('close', () => {
      settle(response.writableFinished ? 'answered' : 'aborted');
      gone.abort();
    });
    response.on('error', () => {});

    const fault = this.faultOf(record.route);
    const [, bearer = ''] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
    // The answer is that of the moment of arrival, however late it is sent.
    const truth = operate(this.data, record.route, bearer, !replacesAnswer(fault));
    const answer = faultyAnswer(truth, fault, request);
    const exchange = { response, tcp, gone: gone.signal, settle };
    const held = fault.hold ? this.hold(record, gone.signal) : Promise.resolve();
    held
      .then(() => send(exchange, answer, fault))
      .catch((error: unknown) => {
        // A client that left ends the sending wherever it is. Anything else is a fault that nobody asked for.
        if (!gone.signal.aborted) {
          console.error('the local platform could not answer', method, path, error);
          settle('broken');
          tcp.destroy();
        }
      });
  }

  /** A slow 403 is the standing 403 with a test's latency; a test's own answer stands alone. */
  private faultOf(route: Route): Fault {
    const taken = faultFor(route, this.faults);
    if (taken?.fault.times !== undefined) {
      taken.fault.times -= 1;
      if (taken.fault.times === 0) this.faults = this.faults.filter((one) => one !== taken);
    }
    const fault = taken?.fault ?? {};
    return replacesAnswer(fault)
      ? fault
      : { ...faultFor(route, this.data.standing)?.fault, ...fault };
  }

  private async hold(record: RequestRecord, gone: AbortSignal): Promise<void> {
    this.setState(record, 'held');
    await once(this.events, 'release', { signal: gone });
    this.setState(record, 'open');
  }
}

function peer(socket: Socket): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}
