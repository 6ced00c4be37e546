/**
 * The service on this machine: a real HTTP server with the three operations of docs/service.md, for tests and for `npm start`.
 * What docs/service.md does not show (status codes, error bodies, who may do what) is a choice made here, and seedable.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { startControl } from './control.js';
import { DEFAULT_TOKEN, emptyData, grant, type ServiceData, type TokenGrant } from './data.js';
import { type Fault, FaultBook, type FaultTarget, matches, replacesAnswer } from './faults.js';
import { listen } from './listen.js';
import { operate, type Route, route } from './operations.js';
import { type RequestFilter, RequestLog, type RequestRecord, type RequestState } from './requests.js';
import { faultyAnswer, send } from './send.js';

export type { RequestFilter, RequestRecord, RequestState } from './requests.js';

export interface ServiceOptions {
  /** Taken over as it is, not copied; what is not given is empty. */
  data?: Partial<ServiceData>;
  /** The access token, with every permission. `DEFAULT_TOKEN` if absent; more tokens are part of the data. */
  token?: string;
  /** Also a user session token: from then on only that is good for a look-up (see `lookUpAccepts`). */
  sessionToken?: string;
  /** 0, the default, is any free one. */
  port?: number;
  /** The address to listen on, 127.0.0.1 if absent. */
  host?: string;
  /** Serves TLS. `name` is the host name that goes into the base URL. */
  tls?: { key: string; cert: string; name?: string };
  /** Idle connections are kept until somebody closes them, unless this says otherwise: a test decides when they drop. */
  keepAliveTimeoutMs?: number;
}

interface Connection {
  id: number;
  tcp: Socket;
}

interface Held {
  record: RequestRecord;
  release: () => void;
}

export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const service = new Service(options);
  await service.start();
  return service;
}

/** What a test can do with the service; from another process as `ServiceControl`. */
export class Service {
  /** Ends in /api/v1. */
  baseUrl = '';
  controlUrl = '';
  /** Accepted, with every permission. */
  readonly token: string;
  readonly data: ServiceData;
  private readonly initial: ServiceData;
  private readonly server: Server;
  private readonly log = new RequestLog();
  private readonly faults = new FaultBook();
  private readonly connections = new Map<string, Connection>();
  /** Requests without a complete answer, with what says how they ended. */
  private readonly open = new Map<RequestRecord, (state: RequestState) => void>();
  private held: Held[] = [];
  private stopControl: () => Promise<void> = async () => {};
  private lastRequest = 0;
  private lastConnection = 0;
  private stopped: Promise<void> | undefined;

  constructor(private readonly options: ServiceOptions) {
    this.data = { ...emptyData(), ...options.data };
    this.token = options.token ?? DEFAULT_TOKEN;
    this.data.tokens.set(this.token, grant('access'));
    if (options.sessionToken !== undefined) {
      this.data.tokens.set(options.sessionToken, grant('session'));
    }
    this.initial = structuredClone(this.data);

    const { tls } = options;
    // Far above what a sane client sends, so that it is the client's limits that a test sees.
    const http = { maxHeaderSize: 256 * 1024, keepAliveTimeout: options.keepAliveTimeoutMs ?? 0, requestTimeout: 0 };
    this.server = tls === undefined ? createServer(http) : createTlsServer({ ...http, key: tls.key, cert: tls.cert });
    this.server.on('connection', (tcp: Socket) => this.connected(tcp));
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => this.serve(request, response));
  }

  get requests(): RequestRecord[] {
    return this.log.records;
  }

  async start(): Promise<void> {
    const { host = '127.0.0.1', port = 0, tls } = this.options;
    const bound = await listen(this.server, port, host);
    const name = tls?.name ?? (host.includes(':') ? `[${host}]` : host);
    this.baseUrl = `${tls === undefined ? 'http' : 'https'}://${name}:${bound}/api/v1`;
    const control = await startControl(this);
    this.controlUrl = control.url;
    this.stopControl = control.stop;
  }

  putDeployment(id: string, authorization: unknown): void {
    this.data.deployments.set(id, authorization);
  }

  deleteDeployment(id: string): void {
    this.data.deployments.delete(id);
  }

  putInstall(token: string, install: unknown): void {
    this.data.installs.set(token.toLowerCase(), install);
  }

  deleteInstall(token: string): void {
    this.data.installs.delete(token.toLowerCase());
  }

  putApiKey(keyId: string): void {
    this.data.apiKeys.add(keyId);
  }

  deleteApiKey(keyId: string): void {
    this.data.apiKeys.delete(keyId);
  }

  putToken(token: string, given: Partial<TokenGrant> = {}): void {
    this.data.tokens.set(token, { ...grant(), ...given });
  }

  deleteToken(token: string): void {
    this.data.tokens.delete(token);
  }

  /** Replaces the given members, whole. */
  putData(data: Partial<ServiceData>): void {
    Object.assign(this.data, data);
  }

  fault(target: FaultTarget | 'all', fault: Fault): void {
    this.faults.add(target, fault);
  }

  /** All of them, or those set with exactly this target. What is held stays held. */
  clearFaults(target?: FaultTarget | 'all'): void {
    this.faults.clear(target);
  }

  /** Lets held answers go, the oldest first; how many went. */
  release(target: FaultTarget | 'all' = 'all', count = Number.MAX_SAFE_INTEGER): number {
    const wanted = target === 'all' ? {} : target;
    const going = this.held
      .filter(({ record }) => matches(wanted, record.route.operation, record.route.id))
      .slice(0, count);
    for (const { release } of going) {
      release();
    }
    return going.length;
  }

  clearRequests(): void {
    this.log.clear();
  }

  /** Closes connections now: those without a request under way, or every one. */
  closeConnections(which: 'idle' | 'all'): void {
    if (which === 'idle') {
      this.server.closeIdleConnections();
      return;
    }
    for (const settle of this.open.values()) {
      settle('broken');
    }
    for (const { tcp } of this.connections.values()) {
      tcp.destroy();
    }
  }

  /** Back to the data at the start, without faults, held answers or recorded requests. */
  reset(): void {
    Object.assign(this.data, structuredClone(this.initial));
    this.clearFaults();
    this.release();
    this.clearRequests();
  }

  /** Waits until so many recorded requests match, and yields them. Rejects after the time. */
  waitForRequests(count: number, filter: RequestFilter = {}, timeoutMs = 5000): Promise<RequestRecord[]> {
    return this.log.waitFor(count, filter, timeoutMs);
  }

  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }

  private async end(): Promise<void> {
    this.log.end();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.closeConnections('all');
    await Promise.all([closed, this.stopControl()]);
  }

  private connected(tcp: Socket): void {
    const key = peer(tcp);
    this.connections.set(key, { id: ++this.lastConnection, tcp });
    // Resets are part of the game; without a listener they would end the process.
    tcp.on('error', () => {});
    tcp.once('close', () => this.connections.delete(key));
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    // A TLS socket reports the same peer as the TCP connection below it.
    const connection = this.connections.get(peer(request.socket));
    if (connection === undefined) {
      request.socket.destroy();
      return;
    }
    const record = this.recordOf(request, connection);
    const gone = new AbortController();
    const settle = (state: RequestState) => {
      if (this.open.delete(record)) {
        this.log.setState(record, state);
      }
    };
    this.open.set(record, settle);
    record.inFlight = this.open.size;
    this.log.add(record);
    // 'close' follows a complete answer too; where we broke the connection ourselves, that has been settled before.
    response.once('close', () => {
      settle(response.writableFinished ? 'answered' : 'aborted');
      gone.abort();
    });
    response.on('error', () => {});

    const fault = this.faultOf(record.route);
    const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    // The answer is that of the moment of arrival, however late it is sent.
    const truth = operate(this.data, record.route, bearer, fault.effect ?? !replacesAnswer(fault));
    const answer = faultyAnswer(truth, fault, request);
    const exchange = { request, response, tcp: connection.tcp, gone: gone.signal, settle };
    const held = fault.hold ? this.hold(record, gone.signal) : Promise.resolve();
    held
      .then(() => send(exchange, answer, fault))
      .catch((error: unknown) => {
        // A client that left ends the sending wherever it is. Anything else is a fault that nobody asked for.
        if (!gone.signal.aborted) {
          console.error('the local service could not answer', record.method, record.path, error);
          settle('broken');
          connection.tcp.destroy();
        }
      });
  }

  private recordOf(request: IncomingMessage, connection: Connection): RequestRecord {
    const method = request.method ?? '';
    const [path = '', ...query] = (request.url ?? '').split('?');
    const record: RequestRecord = {
      id: ++this.lastRequest,
      method,
      path,
      query: query.join('?'),
      headers: request.headers,
      body: '',
      receivedAt: Date.now(),
      route: route(method, path),
      connection: connection.id,
      inFlight: 1,
      state: 'open',
      abortedByClient: false,
    };
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      record.body += chunk;
    });
    request.on('error', () => {});
    return record;
  }

  /** A slow 403 is the standing 403 with a test's latency; a test's own answer stands alone. */
  private faultOf({ operation, id }: Route): Fault {
    const standing = new FaultBook(this.data.standing).take(operation, id);
    const fault = this.faults.take(operation, id) ?? {};
    return replacesAnswer(fault) ? fault : { ...standing, ...fault };
  }

  private hold(record: RequestRecord, gone: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const held: Held = {
        record,
        release: () => {
          gone.removeEventListener('abort', held.release);
          this.held = this.held.filter((other) => other !== held);
          if (this.open.has(record)) {
            this.log.setState(record, 'open');
          }
          resolve();
        },
      };
      this.held.push(held);
      gone.addEventListener('abort', held.release);
      this.log.setState(record, 'held');
    });
  }
}

function peer(socket: Socket): string {
  return `${socket.remoteAddress}:${socket.remotePort}`;
}
