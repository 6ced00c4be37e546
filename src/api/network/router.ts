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
import { decideRoute, mayAskEditor, type Proxy, type Route, type RouteSettings } from './route.js';
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
  readonly editorFetch?: typeof fetch;
  readonly requestTimeout: () => number;
  readonly resolve?: Resolve;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Requests go another way than before, so that somebody else may answer them. */
  readonly onRouteChange?: () => void;
  /** Ms, for distances. */
  readonly elapsed?: () => number;
}

type ConnectionWanted = Pick<WireRequest, 'origin' | 'signal' | 'onStep'>;

type OwnRoute = Extract<Route, { kind: 'direct' | 'proxy' }>;

const maxConnectingMs = 10_000;

/** A gateway that restarts breaks the handshakes of one moment. */
const minBrokenHandshakesMs = 10_000;

/**
 * The way of a request to the platform: our own connections, directly or through a proxy, or the
 * editor's `fetch`. Owns the pool of connections and the certificates that they trust.
 */
export class Router {
  private readonly trust: Trust;
  private readonly pool: Pool;
  /** By origin, the way that worked last time: our own connection, or the editor's `fetch`. */
  private readonly lastWay = new Map<string, 'own' | 'editor'>();
  /** By origin, by `elapsed`, since when the handshakes of our own connections fail while the editor's `fetch` works. */
  private readonly brokenHandshakes = new Map<string, number>();
  /** All requests at the editor's `fetch`, of all organizations. */
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

  /** How many refreshes may send at a time, so that none waits at the editor's `fetch` while its time runs. */
  maxRequests(origin: string): number {
    const isOwn = this.lastWay.get(origin) === 'own' || this.routeTo(origin).editor === undefined;
    return isOwn ? Number.POSITIVE_INFINITY : maxEditorRequests;
  }

  async send(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.routeTo(request.origin);
    const blocked = await reportRoute(request, route, editor);
    if (blocked) return blocked;
    if (route.kind === 'direct' || route.kind === 'proxy') {
      return editor
        ? this.sendEitherWay(request, route, editor)
        : this.sendDirectly(request, route, false);
    }
    return this.sendByEditor(editor!, request, { source: route.from });
  }

  /**
   * Opens a connection of our own, and closes it without sending anything to the platform. Returns why
   * no request could go: not where the editor's `fetch` may still send it. Where requests go through that
   * anyway, nothing is opened.
   */
  async tryConnection(wanted: ConnectionWanted): Promise<Failure | undefined> {
    const { route, editor } = this.routeTo(wanted.origin);
    const blocked = await reportRoute(wanted, route, editor);
    if (blocked) return blocked.failure;
    if (route.kind !== 'direct' && route.kind !== 'proxy') return undefined;
    if (editor && this.lastWay.get(wanted.origin) === 'editor') return undefined;
    try {
      await this.pool.load();
      const open = (signal: AbortSignal) => this.open({ ...wanted, signal }, route, false);
      const socket = await withTimeout(this.options.requestTimeout(), wanted.signal, open);
      socket.destroy();
      wanted.signal.throwIfAborted();
      return undefined;
    } catch (error) {
      const { failure } = notSent(error, wanted);
      return editor && !wanted.signal.aborted ? undefined : failure;
    }
  }

  /**
   * Drops learned routes and idle connections after a change of settings or network, and lets the
   * certificates be read again. Running requests keep their connections.
   */
  forget(): void {
    this.lastWay.clear();
    this.brokenHandshakes.clear();
    this.trust.readAgain();
    this.pool.forget();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** `editor`: is the only way, or may be asked when no connection can be made. */
  private routeTo(origin: string): {
    readonly route: Route;
    readonly editor: typeof fetch | undefined;
  } {
    const settings = this.options.settings();
    const route = decideRoute(new URL(origin), settings);
    return { route, editor: mayAskEditor(route, settings) ? this.options.editorFetch : undefined };
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async sendEitherWay(
    request: WireRequest,
    route: OwnRoute,
    editor: typeof fetch,
  ): Promise<WireResult> {
    const { origin } = request;
    const send = (byEditor: boolean): Promise<WireResult> =>
      byEditor ? this.sendByEditor(editor, request) : this.sendDirectly(request, route, true);
    const editorFirst = this.lastWay.get(origin) === 'editor';
    const first = await send(editorFirst);
    if (!isUnreachable(first) || !maySendAgain(first, request)) {
      if (hasConnected(first)) this.remember(origin, editorFirst ? 'editor' : 'own');
      return first;
    }
    request.onPhase?.({ kind: 'connecting' });
    const second = await send(!editorFirst);
    const cause = causeOfSecond(second, request);
    if (cause || !hasConnected(second)) this.remember(origin, undefined);
    else if (editorFirst) this.remember(origin, 'own');
    else if (this.isLasting(origin, first.failure.cause)) this.remember(origin, 'editor');
    if (!cause) return second;
    const causes = editorFirst
      ? { cause, viaEditor: first.failure.cause }
      : { ...first.failure, viaEditor: cause };
    return { ...first, failure: { kind: 'unreachable', ...causes } };
  }

  /** Whether the failure of our own connection says something about the next one, which the editor's `fetch` then replaces. */
  private isLasting(origin: string, { step }: ConnectionCause): boolean {
    if (step !== 'tls') return true;
    const now = this.elapsed();
    const since = this.brokenHandshakes.get(origin) ?? now;
    this.brokenHandshakes.set(origin, since);
    return now - since >= minBrokenHandshakesMs;
  }

  private remember(origin: string, way: 'own' | 'editor' | undefined): void {
    if (way === 'own') this.brokenHandshakes.delete(origin);
    const before = this.lastWay.get(origin);
    if (way === undefined) this.lastWay.delete(origin);
    else this.lastWay.set(origin, way);
    if (before !== undefined && before !== way) this.options.onRouteChange?.();
  }

  /**
   * Waits until fewer than four requests are there. That counts toward the time-out, and is short:
   * `maxRequests` lets no more than four come, but for what the user asks for and for those on their way
   * when our own connections fail.
   */
  private async sendByEditor(
    editor: typeof fetch,
    request: WireRequest,
    proxy: Pick<ConnectionCause, 'source'> = {},
  ): Promise<WireResult> {
    const { signal, urgent } = request;
    const release = await this.editorQueue.enter({ urgent, signal }).catch(() => undefined);
    return release
      ? sendByEditor(editor, request, proxy).finally(release)
      : stoppedResult(signal, false);
  }

  private async sendDirectly(
    request: WireRequest,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<WireResult> {
    const sendOnNew = (same: WireRequest) => this.sendOnNew(same, route, mayTryEditor);
    try {
      for (;;) {
        const kept = await this.pool.idle(request);
        if (!kept) return await sendOnNew(request);
        const result = await this.sendOnKept(kept, request, sendOnNew);
        // The platform may have closed an idle connection: then nothing was sent.
        if (!isUnreachable(result) || result.maybeSent) return result;
      }
    } catch (error) {
      return notSent(error, request);
    }
  }

  private sendOnKept(
    kept: PooledConnection,
    request: WireRequest,
    sendOnNew: (same: WireRequest) => Promise<WireResult>,
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
        // For whoever asked, it is one request.
        const quiet = { ...request, signal, onPhase: undefined, onStep: undefined };
        return sendOnNew(quiet).catch((error: unknown) => notSent(error, quiet));
      },
    });
  }

  private async sendOnNew(
    request: WireRequest,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<WireResult> {
    const socket = await this.open(request, route, mayTryEditor);
    return this.pool.send(
      this.pool.add(request.origin, socket, !request.needsNewConnection),
      request,
    );
  }

  private async open(
    request: ConnectionWanted,
    route: OwnRoute,
    mayTryEditor: boolean,
  ): Promise<Socket> {
    const { requestTimeout, resolve } = this.options;
    const url = new URL(request.origin);
    // The editor still has most of a short time-out.
    const maxMs = Math.min(maxConnectingMs, requestTimeout() / 3);
    const context = await this.contextFor(url, requestTimeout() - maxMs, request);
    const proxy = route.kind === 'proxy' ? route : undefined;
    const { signal, onStep } = request;
    const connect = (limited: AbortSignal): Promise<Socket> => {
      return new Opening({
        proxy,
        context,
        resolve,
        pool: this.pool,
        signal: limited,
        onStep,
      }).connectTo(url);
    };
    return mayTryEditor ? withTimeout(maxMs, signal, connect) : connect(signal);
  }

  /** The certificates that a connection trusts; `undefined` without TLS. `maxMs`: to wait for the system's. */
  private async contextFor(
    url: URL,
    maxMs: number,
    request: ConnectionWanted,
  ): Promise<SecureContext | undefined> {
    if (url.protocol !== 'https:') return undefined;
    if (!this.options.settings().systemCertificates) return this.trust.contextWithoutSystem;
    return this.trust.context(maxMs, request);
  }
}

/** For Check Connection: Node says it only when the process starts, and where no user looks. */
async function reportExtraCertificates(
  origin: string,
  signal: AbortSignal,
  onStep: NonNullable<WireRequest['onStep']>,
): Promise<void> {
  if (!origin.startsWith('https:')) return;
  const problem = await extraCertificatesProblem(signal).catch(() => undefined);
  if (problem) onStep({ kind: 'extraCertificates', problem });
}

/** Tells the first steps of a request. Returns its failure if this way cannot be gone. */
async function reportRoute(
  { origin, signal, onStep }: ConnectionWanted,
  route: Route,
  editor: typeof fetch | undefined,
): Promise<Unanswered | undefined> {
  const cause = proxyCause(route, editor);
  const { authorization, ...shown }: Route & Partial<Pick<Proxy, 'authorization'>> = route;
  const credentials = authorization !== undefined;
  const mayTryEditor = editor !== undefined;
  onStep?.({ kind: 'route', route: shown, credentials, mayTryEditor, ...(cause && { cause }) });
  if (cause) return unreachableResult(new ConnectError(cause), origin);
  if (onStep) await reportExtraCertificates(origin, signal, onStep);
  return undefined;
}

function proxyCause(route: Route, editor: typeof fetch | undefined): ConnectionCause | undefined {
  if (route.kind === 'direct' || route.kind === 'proxy' || (route.kind === 'editor' && editor))
    return undefined;
  const facts = { step: 'proxy', host: '', source: route.from } as const;
  if (route.kind === 'editor') return { ...facts, code: 'ERR_SOCKS_UNSUPPORTED' };
  return { ...facts, code: 'ERR_INVALID_URL', problem: route.problem };
}

function notSent(
  error: unknown,
  { origin, signal }: Pick<ConnectionWanted, 'origin' | 'signal'>,
): Unanswered {
  return signal.aborted ? stoppedResult(signal, false) : unreachableResult(error, origin);
}

/** Whether a connection was made on this way, whatever came of it. */
function hasConnected(result: WireResult): boolean {
  if (result.kind === 'answer') return true;
  return result.failure.kind === 'connectionLost' || result.failure.kind === 'invalidHttp';
}

function isUnreachable(
  result: WireResult,
): result is Unanswered & { readonly failure: Extract<Failure, { kind: 'unreachable' }> } {
  return result.kind === 'unanswered' && result.failure.kind === 'unreachable';
}

/** Whether the platform would not do the same twice. */
function maySendAgain({ maybeSent: sent }: Unanswered, { method }: WireRequest): boolean {
  return !sent || method === 'GET';
}

/** Why the second way failed, too. "Lost" says as much of a GET, while a DELETE may have arrived. */
function causeOfSecond(result: WireResult, request: WireRequest): ConnectionCause | undefined {
  const { origin } = request;
  if (result.kind === 'answer' || !maySendAgain(result, request)) return undefined;
  if (isUnreachable(result)) return result.failure.cause;
  if (result.failure.kind !== 'connectionLost') return undefined;
  const { code } = result.failure;
  return { step: failedStepOf(code), code, ...peerOf(new URL(origin)) };
}
