import type { Socket } from 'node:net';
import { withTimeout } from '../abort.js';
import { type ConnectionCause, type Failure, peerOf } from '../failure.js';
import { maxEditorRequests, sendByEditor } from './editorFetch.js';
import { ConnectError, stepOf } from './errorCodes.js';
import { Opening, type Resolve } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, mayAskEditor, type Proxy, type Route, type RouteSettings } from './route.js';
import { Trust, type TrustOptions } from './trust.js';
import { stopped, type Unanswered, unreachable, type WireRequest, type WireResult } from './wire.js';

export interface RouterOptions extends TrustOptions {
  readonly settings: () => RouteSettings;
  readonly editorFetch?: typeof fetch;
  readonly requestTimeout: () => number;
  readonly resolve?: Resolve;
}

type OwnRoute = Extract<Route, { kind: 'direct' | 'proxy' }>;

const maxConnectingMs = 10_000;

/**
 * The way of a request to the platform: our own connections, directly or through a proxy, or the
 * editor's `fetch`. Owns the pool of connections and the certificates that they trust.
 */
export class Router {
  private readonly trust: Trust;
  private readonly pool = new Pool();
  /** Origins that only the editor's `fetch` could reach last time. */
  private readonly onlyByEditor = new Set<string>();

  constructor(private readonly options: RouterOptions) {
    this.trust = new Trust(options);
  }

  maxRequests(origin: string): number {
    const isByEditor = this.onlyByEditor.has(origin) || this.routeTo(origin).route.kind === 'editor';
    return isByEditor ? maxEditorRequests : Number.POSITIVE_INFINITY;
  }

  async send(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.routeTo(request.origin);
    const cause = proxyCause(route, editor);
    const { authorization, ...shown }: Route & Partial<Pick<Proxy, 'authorization'>> = route;
    const credentials = authorization !== undefined;
    const mayTryEditor = editor !== undefined;
    request.onStep?.({ kind: 'route', route: shown, credentials, mayTryEditor, ...(cause && { cause }) });
    if (cause) return unreachable(new ConnectError(cause), request.origin);
    if (route.kind === 'direct' || route.kind === 'proxy') {
      return editor ? this.sendEitherWay(request, route, editor) : this.sendDirectly(request, route, false);
    }
    return sendByEditor(editor!, request);
  }

  /**
   * Drops learned routes and idle connections after a change of settings or network, and lets the
   * certificates be read again. Running requests keep their connections.
   */
  forget(): void {
    this.onlyByEditor.clear();
    this.trust.readAgain();
    this.pool.forget();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** `editor`: is the only way, or may be asked when no connection can be made. */
  private routeTo(origin: string): { readonly route: Route; readonly editor: typeof fetch | undefined } {
    const settings = this.options.settings();
    const route = decideRoute(new URL(origin), settings);
    return { route, editor: mayAskEditor(route, settings) ? this.options.editorFetch : undefined };
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async sendEitherWay(request: WireRequest, route: OwnRoute, editor: typeof fetch): Promise<WireResult> {
    const { origin } = request;
    const send = (byEditor: boolean): Promise<WireResult> =>
      byEditor ? sendByEditor(editor, request) : this.sendDirectly(request, route, true);
    const editorFirst = this.onlyByEditor.has(origin);
    const first = await send(editorFirst);
    if (!isUnreachable(first)) return first;
    request.onPhase?.({ kind: 'connecting' });
    const second = await send(!editorFirst);
    if (editorFirst) this.onlyByEditor.delete(origin);
    else if (second.kind === 'answer' || second.failure.kind === 'connectionLost') this.onlyByEditor.add(origin);
    const cause = causeOfSecond(second, request);
    if (!cause) return second;
    const causes = editorFirst ? { cause, viaEditor: first.failure.cause } : { ...first.failure, viaEditor: cause };
    return { ...first, failure: { kind: 'unreachable', ...causes } };
  }

  private async sendDirectly(request: WireRequest, route: OwnRoute, mayTryEditor: boolean): Promise<WireResult> {
    const { origin, ownConnection, signal } = request;
    try {
      for (;;) {
        const idle = await this.pool.idle(request);
        const connection = idle ?? this.pool.add(origin, await this.open(request, route, mayTryEditor), !ownConnection);
        const result = await this.pool.send(connection, request);
        // The service may have closed an idle connection: then nothing was sent.
        if (!idle || !isUnreachable(result)) return result;
      }
    } catch (error) {
      return signal.aborted ? stopped(signal, false) : unreachable(error, origin);
    }
  }

  private async open(request: WireRequest, route: OwnRoute, mayTryEditor: boolean): Promise<Socket> {
    const { requestTimeout, resolve, settings } = this.options;
    const url = new URL(request.origin);
    // The editor still has most of a short time-out.
    const maxMs = Math.min(maxConnectingMs, requestTimeout() / 3);
    const needsTrust = url.protocol === 'https:' && settings().systemCertificates;
    const context = needsTrust ? await this.trust.context(requestTimeout() - maxMs, request) : undefined;
    const proxy = route.kind === 'proxy' ? route : undefined;
    const { signal, onStep } = request;
    const connect = (limited: AbortSignal): Promise<Socket> => {
      return new Opening({ proxy, context, resolve, pool: this.pool, signal: limited, onStep }).connectTo(url);
    };
    return mayTryEditor ? withTimeout(maxMs, signal, connect) : connect(signal);
  }
}

function proxyCause(route: Route, editor: typeof fetch | undefined): ConnectionCause | undefined {
  if (route.kind === 'direct' || route.kind === 'proxy' || (route.kind === 'editor' && editor)) return undefined;
  const code = route.kind === 'editor' ? 'ERR_SOCKS_UNSUPPORTED' : 'ERR_INVALID_URL';
  return { step: 'proxy', code, host: '', source: route.from };
}

function isUnreachable(
  result: WireResult,
): result is Unanswered & { readonly failure: Extract<Failure, { kind: 'unreachable' }> } {
  return result.kind === 'unanswered' && result.failure.kind === 'unreachable';
}

/** Why the second way failed, too. "Lost" says as much of a GET, while a DELETE may have arrived. */
function causeOfSecond(result: WireResult, { method, origin }: WireRequest): ConnectionCause | undefined {
  if (isUnreachable(result)) return result.failure.cause;
  if (result.kind === 'answer' || result.failure.kind !== 'connectionLost' || method === 'DELETE') return undefined;
  const { code } = result.failure;
  return { step: stepOf(code), code, ...peerOf(new URL(origin)) };
}
