import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { withTimeout } from '../abort.js';
import { type ConnectionCause, type Failure, peerOf } from '../failure.js';
import { Queue } from '../queue.js';
import { setTimer } from '../timers.js';
import { maxEditorRequests, sendByEditor } from './editorFetch.js';
import { ConnectError, failedStepOf } from './errorCodes.js';
import { extraCertificatesProblem } from './extraCertificates.js';
import { Opening, type Resolve } from './open.js';
import { Pool, type PooledConnection } from './pool.js';
import { decideRoute, mayUseEditor, type Proxy, type Route, type RouteSettings } from './route.js';
import { sendWithSecondTry } from './secondTry.js';
import { Trust, type TrustOptions } from './trust.js';
import {
  stoppedResult,
  type Unanswered,
  unreachableResult,
  type WireRequest,
  type WireResult,
} from './wire.js';

export interface RouterOptions extends TrustOptions {
  readonly settings: () => RouteSettings;
  /** The `fetch` of VS Code, which knows its proxies. Without it only own connections are used. */
  readonly editorFetch?: typeof fetch;
  /** Ms. */
  readonly requestTimeout: () => number;
  /** Default: the system's resolver. */
  readonly resolve?: Resolve;
  /** Epoch ms. */
  readonly now?: () => number;
  /**
   * Called when the transport that worked last is no longer the one that works, so that another
   * server may answer. Not called after `forget()`.
   */
  readonly onRouteChange?: () => void;
  /** Ms by a clock that runs evenly when the system's time is set. */
  readonly elapsed?: () => number;
}

type ConnectionOptions = Pick<WireRequest, 'origin' | 'signal' | 'onStep'>;

/** A route for connections that this extension opens itself. */
type OwnRoute = Extract<Route, { kind: 'direct' | 'proxy' }>;

/** What carries a request: a connection of this extension, or the editor's `fetch`. */
type Transport = 'own' | 'editor';

interface RouteWithEditor {
  readonly route: Route;
  /** Set if the editor's `fetch` is the only transport, or one of two. */
  readonly editor: typeof fetch | undefined;
}

type UnreachableResult = Unanswered & {
  readonly failure: Extract<Failure, { kind: 'unreachable' }>;
};

/** For one connection if the editor's `fetch` may be tried after it. */
const maxConnectingMs = 10_000;

/** A gateway that restarts breaks handshakes only for a moment. */
const minBrokenHandshakesMs = 10_000;

/**
 * Decides how a request gets to the platform, and sends it: on connections of this extension,
 * directly or through a proxy, or by the editor's `fetch`. Owns the pool of connections and the
 * certificates that they trust. Sender and client ask it.
 */
export class Router {
  private readonly trust: Trust;
  private readonly pool: Pool;
  /** By origin, the transport that worked last. */
  private readonly lastTransport = new Map<string, Transport>();
  /**
   * By origin, the time by `elapsed` since when TLS handshakes of own connections fail while the
   * editor's `fetch` works.
   */
  private readonly brokenHandshakesSince = new Map<string, number>();
  /**
   * Bounds the requests by the editor's `fetch`, of all organizations together. This queue is never
   * paused, so it has the real clocks in tests, too.
   */
  private readonly editorQueue = new Queue({
    max: () => maxEditorRequests,
    extraSlots: 0,
    now: Date.now,
    elapsed: () => performance.now(),
    onPause: () => undefined,
  });

  private readonly elapsed: () => number;

  constructor(private readonly options: RouterOptions) {
    this.trust = new Trust(options);
    this.elapsed = options.elapsed ?? (() => performance.now());
    this.pool = new Pool(options.now ?? Date.now);
  }

  /**
   * How many refreshes of an organization may send to an origin at a time, so that few wait for the
   * editor's `fetch` while their time-out runs.
   */
  maxRequests(origin: string): number {
    const usesOwn = this.lastTransport.get(origin) === 'own';
    if (usesOwn || this.routeTo(origin).editor === undefined) return Number.POSITIVE_INFINITY;
    return maxEditorRequests;
  }

  /** Sends a request by the transports that its route allows. Never rejects. */
  async send(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.routeTo(request.origin);
    const blocked = await reportRoute(request, route, editor);
    if (blocked) return blocked;
    if (route.kind === 'direct' || route.kind === 'proxy') {
      if (editor) return this.sendByEither(request, route, editor);
      return this.sendDirectly(request, route, false);
    }
    return this.sendByEditor(editor!, request, { source: route.source });
  }

  /**
   * Opens a connection, and closes it without sending anything to the platform. Returns why no
   * request could be sent. Returns `undefined` if one could, and if the editor's `fetch` may still
   * send it. Opens nothing if requests go by the editor's `fetch` anyway.
   */
  async tryConnection(options: ConnectionOptions): Promise<Failure | undefined> {
    const { route, editor } = this.routeTo(options.origin);
    const blocked = await reportRoute(options, route, editor);
    if (blocked) return blocked.failure;
    if (route.kind !== 'direct' && route.kind !== 'proxy') return undefined;
    if (editor && this.lastTransport.get(options.origin) === 'editor') return undefined;
    try {
      await this.pool.load();
      const open = (signal: AbortSignal) => this.open({ ...options, signal }, route, false);
      const socket = await withTimeout(this.options.requestTimeout(), options.signal, open);
      socket.destroy();
      options.signal.throwIfAborted();
      return undefined;
    } catch (error) {
      const { failure } = notSentResult(error, options);
      const mayEditorSend = editor !== undefined && !options.signal.aborted;
      return mayEditorSend ? undefined : failure;
    }
  }

  /**
   * Forgets which transport worked and drops idle connections, after a change of settings or
   * network, and lets the certificates be read again. Running requests keep their connections.
   */
  forget(): void {
    this.lastTransport.clear();
    this.brokenHandshakesSince.clear();
    this.trust.readAgain();
    this.pool.forget();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private routeTo(origin: string): RouteWithEditor {
    const settings = this.options.settings();
    const route = decideRoute(new URL(origin), settings);
    return { route, editor: mayUseEditor(route, settings) ? this.options.editorFetch : undefined };
  }

  /**
   * Sends a request by the transport that worked last (at first an own connection), and by the
   * other one if no connection could be made. The next request begins with the transport that
   * worked, unless that is the editor's `fetch` and `shouldPreferEditor` denies it. If neither
   * could connect, the failure has both causes: that of the own connection as `cause`, that of the
   * editor's `fetch` as `viaEditor`.
   */
  private async sendByEither(
    request: WireRequest,
    route: OwnRoute,
    editor: typeof fetch,
  ): Promise<WireResult> {
    const { origin } = request;
    const sendBy = (transport: Transport): Promise<WireResult> =>
      transport === 'editor'
        ? this.sendByEditor(editor, request)
        : this.sendDirectly(request, route, true);
    const firstTransport = this.lastTransport.get(origin) ?? 'own';
    const secondTransport = firstTransport === 'editor' ? 'own' : 'editor';

    const first = await sendBy(firstTransport);
    if (!isUnreachable(first) || !maySendAgain(first, request)) {
      if (hasConnected(first)) this.remember(origin, firstTransport);
      return first;
    }
    request.onPhase?.({ kind: 'connecting' });
    const second = await sendBy(secondTransport);
    const firstCause = first.failure.cause;
    const secondCause = causeOfSecond(second, request);

    const hasNeitherWorked = secondCause !== undefined || !hasConnected(second);
    if (hasNeitherWorked) this.remember(origin, undefined);
    else if (secondTransport === 'own') this.remember(origin, 'own');
    else if (this.shouldPreferEditor(origin, firstCause)) this.remember(origin, 'editor');

    if (!secondCause) return second;
    const failure: Failure =
      secondTransport === 'own'
        ? { kind: 'unreachable', cause: secondCause, viaEditor: firstCause }
        : { ...first.failure, viaEditor: secondCause };
    return { ...first, failure };
  }

  /**
   * Whether own connections will probably fail again, after one failed and the editor's `fetch`
   * worked. A broken handshake is probably over soon, unless handshakes have been broken for a
   * while.
   */
  private shouldPreferEditor(origin: string, ownCause: ConnectionCause): boolean {
    if (ownCause.step !== 'tls') return true;
    const now = this.elapsed();
    const since = this.brokenHandshakesSince.get(origin) ?? now;
    this.brokenHandshakesSince.set(origin, since);
    return now - since >= minBrokenHandshakesMs;
  }

  /** `transport`: worked just now; `undefined`: none did. */
  private remember(origin: string, transport: Transport | undefined): void {
    if (transport === 'own') this.brokenHandshakesSince.delete(origin);
    const before = this.lastTransport.get(origin);
    if (transport === undefined) this.lastTransport.delete(origin);
    else this.lastTransport.set(origin, transport);
    const hasChanged = before !== undefined && before !== transport;
    if (hasChanged) this.options.onRouteChange?.();
  }

  /**
   * Waits for one of the four slots of the editor's `fetch`. That wait counts toward the time-out,
   * and is short: `maxRequests` admits four refreshes of each organization, so that only those of
   * other organizations, requests of the user, and requests that were running when own connections
   * began to fail come in addition.
   */
  private async sendByEditor(
    editor: typeof fetch,
    request: WireRequest,
    proxy: Pick<ConnectionCause, 'source'> = {},
  ): Promise<WireResult> {
    const { signal, urgent } = request;
    const release = await this.editorQueue.enter({ urgent, signal }).catch(() => undefined);
    if (!release) return stoppedResult(signal, false);
    return sendByEditor(editor, request, proxy).finally(release);
  }

  /** Sends a request on a kept connection if there is one, else on a new one. Never rejects. */
  private async sendDirectly(
    request: WireRequest,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<WireResult> {
    const sendOnNew = (sameRequest: WireRequest) =>
      this.sendOnNew(sameRequest, route, mayTryEditor);
    try {
      for (;;) {
        const kept = await this.pool.takeIdle(request);
        if (!kept) return await sendOnNew(request);
        const result = await this.sendOnKept(kept, request, sendOnNew);
        // The platform may have closed an idle connection. Then the next connection is tried.
        const isNotSent = isUnreachable(result) && !result.maybeSent;
        if (!isNotSent) return result;
      }
    } catch (error) {
      return notSentResult(error, request);
    }
  }

  /** Sends on a kept connection, and on a new one as well if the kept one stays silent. */
  private sendOnKept(
    kept: PooledConnection,
    request: WireRequest,
    sendOnNew: (sameRequest: WireRequest) => Promise<WireResult>,
  ): Promise<WireResult> {
    const { requestTimeout, setTimer: set = setTimer } = this.options;
    const bytesBefore = kept.socket.bytesRead;
    return sendWithSecondTry({
      signal: request.signal,
      requestTimeout: requestTimeout(),
      setTimer: set,
      sendOnKept: () => this.pool.send(kept, request),
      hasByte: () => kept.socket.bytesRead > bytesBefore,
      dropKept: () => this.pool.drop(kept),
      sendOnNew: (signal) => {
        this.pool.dropIdle(kept.origin);
        // For the listeners both tries are one request.
        const quiet = { ...request, signal, onPhase: undefined, onStep: undefined };
        return sendOnNew(quiet).catch((error: unknown) => notSentResult(error, quiet));
      },
    });
  }

  /** Rejects if no connection can be made. */
  private async sendOnNew(
    request: WireRequest,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<WireResult> {
    const socket = await this.open(request, route, mayTryEditor);
    const isReusable = !request.needsNewConnection;
    const connection = this.pool.add(request.origin, socket, isReusable);
    return this.pool.send(connection, request);
  }

  /** Opens a connection, with TLS for `https`. Rejects with the reason. */
  private async open(
    options: ConnectionOptions,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<Socket> {
    const { requestTimeout, resolve } = this.options;
    const { signal, onStep } = options;
    const url = new URL(options.origin);
    // With a short time-out, most of it is left for the editor's `fetch`.
    const maxMs = Math.min(maxConnectingMs, requestTimeout() / 3);
    const context = await this.contextFor(url, requestTimeout() - maxMs, options);
    const proxy = route.kind === 'proxy' ? route : undefined;
    const connect = (limited: AbortSignal): Promise<Socket> => {
      const opening = new Opening({
        proxy,
        context,
        resolve,
        pool: this.pool,
        signal: limited,
        onStep,
      });
      return opening.connectTo(url);
    };
    return mayTryEditor ? withTimeout(maxMs, signal, connect) : connect(signal);
  }

  /**
   * The certificates that a connection trusts; `undefined` without TLS. `maxMs`: how long to wait
   * for the system's certificates.
   */
  private async contextFor(
    url: URL,
    maxMs: number,
    options: ConnectionOptions,
  ): Promise<SecureContext | undefined> {
    if (url.protocol !== 'https:') return undefined;
    if (!this.options.settings().systemCertificates) return this.trust.contextWithoutSystem;
    return this.trust.context(maxMs, options);
  }
}

/**
 * Reports the first steps of a request to `onStep`. Returns the request's result if the route is
 * unusable, else `undefined`.
 */
async function reportRoute(
  { origin, signal, onStep }: ConnectionOptions,
  route: Route,
  editor: typeof fetch | undefined,
): Promise<Unanswered | undefined> {
  const cause = unusableRouteCause(route, editor);
  const { authorization, ...routeWithoutSecret }: Route & Partial<Pick<Proxy, 'authorization'>> =
    route;
  const step = {
    kind: 'route',
    route: routeWithoutSecret,
    hasCredentials: authorization !== undefined,
    mayTryEditor: editor !== undefined,
  } as const;
  onStep?.(cause ? { ...step, cause } : step);
  if (cause) return unreachableResult(new ConnectError(cause), origin);
  if (onStep) await reportExtraCertificates(origin, signal, onStep);
  return undefined;
}

/** Node reports it only when the process starts, and where no user looks. */
async function reportExtraCertificates(
  origin: string,
  signal: AbortSignal,
  onStep: NonNullable<WireRequest['onStep']>,
): Promise<void> {
  if (!origin.startsWith('https:')) return;
  const problem = await extraCertificatesProblem(signal).catch(() => undefined);
  if (problem) onStep({ kind: 'extraCertificates', problem });
}

/** Why no request can take this route; `undefined` if requests can. */
function unusableRouteCause(
  route: Route,
  editor: typeof fetch | undefined,
): ConnectionCause | undefined {
  if (route.kind === 'direct' || route.kind === 'proxy') return undefined;
  const proxyFacts = { step: 'proxy', host: '', source: route.source } as const;
  if (route.kind === 'unusable')
    return { ...proxyFacts, code: 'ERR_INVALID_URL', problem: route.problem };
  return editor ? undefined : { ...proxyFacts, code: 'ERR_SOCKS_UNSUPPORTED' };
}

/** The result of a request that `error` or its signal ended before it was sent. */
function notSentResult(
  error: unknown,
  { origin, signal }: Pick<ConnectionOptions, 'origin' | 'signal'>,
): Unanswered {
  return signal.aborted ? stoppedResult(signal, false) : unreachableResult(error, origin);
}

/** Whether the result shows that a connection was made, even if no usable answer came. */
function hasConnected(result: WireResult): boolean {
  if (result.kind === 'answer') return true;
  return result.failure.kind === 'connectionLost' || result.failure.kind === 'invalidHttp';
}

function isUnreachable(result: WireResult): result is UnreachableResult {
  return result.kind === 'unanswered' && result.failure.kind === 'unreachable';
}

/** Whether the platform cannot carry out the request twice if it is sent once more. */
function maySendAgain({ maybeSent }: Unanswered, { method }: WireRequest): boolean {
  return !maybeSent || method === 'GET';
}

/**
 * Why the second transport failed, if it could not connect. A GET whose connection was lost counts
 * as well; a DELETE does not, because it may have arrived.
 */
function causeOfSecond(result: WireResult, request: WireRequest): ConnectionCause | undefined {
  if (result.kind === 'answer' || !maySendAgain(result, request)) return undefined;
  if (isUnreachable(result)) return result.failure.cause;
  if (result.failure.kind !== 'connectionLost') return undefined;
  const { code } = result.failure;
  return { step: failedStepOf(code), code, ...peerOf(new URL(request.origin)) };
}
