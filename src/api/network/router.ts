import type { Socket } from 'node:net';
import { withTimeout } from '../abort.js';
import type { ConnectionStep } from '../call.js';
import { type ConnectionCause, peerOf } from '../failure.js';
import { maxEditorRequests, sendByEditor } from './editorFetch.js';
import { stepOf } from './errorCodes.js';
import { Opening, type Resolve } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, mayAskEditor, type Route, type RouteSettings } from './route.js';
import { type ReadCertificates, Trust, type TrustFailure } from './trust.js';
import type { WireRequest, WireResult } from './wire.js';

export interface RouterOptions {
  readonly settings: () => RouteSettings;
  readonly editorFetch?: typeof fetch;
  readonly requestTimeout: () => number;
  readonly resolve?: Resolve;
  readonly readCertificates?: ReadCertificates;
  readonly onTrustFailure?: (failure: TrustFailure) => void;
}

type OwnRoute = Extract<Route, { kind: 'direct' | 'proxy' }>;

const maxConnectingMs = 10_000;

/** Sends on the route that settings and environment prescribe, and remembers where only the editor got through. */
export class Router {
  private trust: Trust;
  private readonly pool = new Pool();
  private readonly onlyByEditor = new Set<string>();

  constructor(private readonly options: RouterOptions) {
    this.trust = this.newTrust();
  }

  maxRequests(origin: string): number {
    const isByEditor = this.onlyByEditor.has(origin) || this.routeTo(origin).route.kind === 'editor';
    return isByEditor ? maxEditorRequests : Number.POSITIVE_INFINITY;
  }

  async send(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.routeTo(request.origin);
    const cause = proxyCause(route, editor);
    request.onEvent({ ...routeStep(route, editor !== undefined), ...(cause && { cause }) });
    if (cause) return { kind: 'unreachable', cause };
    if (route.kind === 'direct' || route.kind === 'proxy') {
      return editor
        ? this.sendEitherWay(request, route, editor)
        : this.pool.send(request, () => this.open(request, route));
    }
    return sendByEditor(editor!, request);
  }

  /** Drops learned routes and pooled connections after a change of settings or network. Running requests keep theirs. */
  forget(): void {
    this.onlyByEditor.clear();
    this.trust = this.newTrust();
    this.pool.forget();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private newTrust(): Trust {
    return new Trust(this.options.readCertificates, this.options.onTrustFailure);
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
    const { requestTimeout } = this.options;
    // The editor still has most of a short time-out.
    const maxMs = Math.min(maxConnectingMs, requestTimeout() / 3);
    const send = (byEditor: boolean): Promise<WireResult> =>
      byEditor ? sendByEditor(editor, request) : this.pool.send(request, () => this.open(request, route, maxMs));
    const editorFirst = this.onlyByEditor.has(origin);
    const first = await send(editorFirst);
    if (first.kind !== 'unreachable') return first;
    request.onEvent({ kind: 'connecting' });
    const second = await send(!editorFirst);
    if (editorFirst) this.onlyByEditor.delete(origin);
    else if (second.kind === 'answer' || second.kind === 'lost') this.onlyByEditor.add(origin);
    const cause = causeOfSecond(second, request);
    if (!cause) return second;
    return editorFirst ? { kind: 'unreachable', cause, viaEditor: first.cause } : { ...first, viaEditor: cause };
  }

  /** `maxMs`: to open a connection, if less than for the whole request. */
  private async open({ origin, signal, onEvent }: WireRequest, route: OwnRoute, maxMs?: number): Promise<Socket> {
    const { requestTimeout, resolve } = this.options;
    const url = new URL(origin);
    const maxTrustMs = requestTimeout() - (maxMs ?? Math.min(maxConnectingMs, requestTimeout() / 3));
    const context = url.protocol === 'https:' ? await this.trustContext(maxTrustMs, signal, onEvent) : undefined;
    const way = { proxy: route.kind === 'proxy' ? route.proxy : undefined, context, resolve };
    const connect = (limited: AbortSignal): Promise<Socket> => new Opening(way, limited, onEvent).connectTo(url);
    return maxMs === undefined ? connect(signal) : withTimeout(maxMs, signal, connect);
  }

  private async trustContext(maxMs: number, signal: AbortSignal, onEvent: WireRequest['onEvent']) {
    if (!this.options.settings().systemCertificates) return undefined;
    const { trust } = this;
    const start = performance.now();
    const context = await trust.context(maxMs, signal);
    const { failure } = trust;
    if (failure) onEvent({ kind: 'certificates', failed: failure, duration: performance.now() - start });
    return context;
  }
}

function routeStep(route: Route, mayTryEditor: boolean): Extract<ConnectionStep, { kind: 'route' }> {
  if (route.kind !== 'proxy') return { ...route, kind: 'route', route: route.kind, mayTryEditor };
  const { from, host, port, tls, authorization } = route.proxy;
  const credentials = authorization !== undefined;
  return { kind: 'route', route: route.kind, from, proxy: { host, port, tls }, credentials, mayTryEditor };
}

function proxyCause(route: Route, editor: typeof fetch | undefined): ConnectionCause | undefined {
  if (route.kind === 'direct' || route.kind === 'proxy' || (route.kind === 'editor' && editor)) return undefined;
  const code = route.kind === 'editor' ? 'ERR_SOCKS_UNSUPPORTED' : 'ERR_INVALID_URL';
  return { step: 'proxy', code, host: '', source: route.from };
}

/** Why the second way failed, too. "Lost" says as much of a GET, while a DELETE may have arrived. */
function causeOfSecond(result: WireResult, { method, origin }: WireRequest): ConnectionCause | undefined {
  if (result.kind === 'unreachable') return result.cause;
  if (result.kind !== 'lost' || method === 'DELETE') return undefined;
  return { step: stepOf(result.code), code: result.code, ...peerOf(new URL(origin)) };
}
