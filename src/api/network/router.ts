import type { Socket } from 'node:net';
import { within } from '../abort.js';
import { type ConnectionCause, peerOf } from '../failure.js';
import { maxEditorRequests, sendByEditor } from './editorFetch.js';
import { stepOf } from './errorCodes.js';
import type { WireRequest, WireResult } from './exchange.js';
import { Opening, type Resolve } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, mayAskEditor, type Route, type RouteSettings } from './route.js';
import type { ConnectionStep } from './steps.js';
import { type ReadCertificates, Trust, type TrustTrouble } from './trust.js';

export interface RouterOptions {
  /** Asked anew for every request: a change takes effect with the next one. */
  readonly settings: () => RouteSettings;
  /** The editor's own `fetch`; absent: no second try. */
  readonly editorFetch?: typeof fetch;
  /** Ms: what a whole request may take. */
  readonly requestTimeout: () => number;
  /** Instead of the system's resolver, and of the stores of this machine. */
  readonly resolve?: Resolve;
  readonly readCertificates?: ReadCertificates;
  /** The system's certificates can't be trusted (yet). */
  readonly onTrustTrouble?: (trouble: TrustTrouble) => void;
}

type OwnRoute = Extract<Route, { kind: 'direct' | 'proxy' }>;

const maxConnectingMs = 10_000;

/** Sends on the route that settings and environment prescribe, and remembers where only the editor got through. */
export class Router {
  private trust: Trust;
  private readonly pool = new Pool();
  /** Origins that only the editor could reach. */
  private readonly onlyByEditor = new Set<string>();

  constructor(private readonly options: RouterOptions) {
    this.trust = this.newTrust();
  }

  /** How many requests may run at an origin. */
  maxRequests(origin: string): number {
    const isByEditor = this.onlyByEditor.has(origin) || this.routeTo(origin).route.kind === 'editor';
    return isByEditor ? maxEditorRequests : Number.POSITIVE_INFINITY;
  }

  async send(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.routeTo(request.origin);
    const cause = noProxy(route, editor);
    request.onEvent({ ...routeStep(route, editor !== undefined), ...(cause && { cause }) });
    if (cause) return { kind: 'unreachable', cause };
    if (route.kind === 'direct' || route.kind === 'proxy') {
      return editor ? this.sendEitherWay(request, route, editor) : this.sendDirectly(request, route);
    }
    return sendByEditor(editor!, request);
  }

  /** Drops learned routes and pooled connections after a change of settings or network. Running requests keep theirs. */
  forget(): void {
    this.onlyByEditor.clear();
    this.trust = this.newTrust();
    this.pool.forget();
  }

  /** Closes every connection. */
  close(): Promise<void> {
    return this.pool.close();
  }

  private newTrust(): Trust {
    return new Trust(this.options.readCertificates, this.options.onTrustTrouble);
  }

  /** `editor`: may be asked, either as the only way or when no connection can be made. */
  private routeTo(origin: string): { readonly route: Route; readonly editor: typeof fetch | undefined } {
    const settings = this.options.settings();
    const route = decideRoute(new URL(origin), settings);
    return { route, editor: mayAskEditor(route, settings) ? this.options.editorFetch : undefined };
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async sendEitherWay(request: WireRequest, route: OwnRoute, editor: typeof fetch): Promise<WireResult> {
    const { origin } = request;
    const { requestTimeout } = this.options;
    // The editor's turn comes in time even if the whole request may take far longer, and still has most of a short time-out.
    const maxMs = Math.min(maxConnectingMs, requestTimeout() / 3);
    const send = (byEditor: boolean): Promise<WireResult> =>
      byEditor ? sendByEditor(editor, request) : this.sendDirectly(request, route, maxMs);
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

  /** `maxMs`: what opening a connection may take, if less than the whole request. */
  private sendDirectly(request: WireRequest, route: OwnRoute, maxMs?: number): Promise<WireResult> {
    return this.pool.send(request, () => this.open(request, route, maxMs));
  }

  private async open({ origin, signal, onEvent }: WireRequest, route: OwnRoute, maxMs?: number): Promise<Socket> {
    const { requestTimeout, resolve, settings } = this.options;
    const { trust } = this;
    const url = new URL(origin);
    const start = performance.now();
    const maxTrustMs = requestTimeout() - (maxMs ?? Math.min(maxConnectingMs, requestTimeout() / 3));
    const context = await trust.context(url.protocol === 'https:' && settings().systemCertificates, maxTrustMs, signal);
    const { trouble } = trust;
    if (trouble) onEvent({ kind: 'certificates', trouble, duration: performance.now() - start });
    const way = { proxy: route.kind === 'proxy' ? route.proxy : undefined, context, resolve };
    const connect = (limited: AbortSignal): Promise<Socket> => new Opening(way, limited, onEvent).connectTo(url);
    return maxMs === undefined ? connect(signal) : within(maxMs, signal, connect);
  }
}

function routeStep(route: Route, mayTryEditor: boolean): Extract<ConnectionStep, { kind: 'route' }> {
  if (route.kind !== 'proxy') return { ...route, kind: 'route', route: route.kind, mayTryEditor };
  const { from, host, port, tls, authorization } = route.proxy;
  const credentials = authorization !== undefined;
  return { kind: 'route', route: route.kind, from, proxy: { host, port, tls }, credentials, mayTryEditor };
}

/** Why there is no way to the proxy that a setting names, if so. */
function noProxy(route: Route, editor: typeof fetch | undefined): ConnectionCause | undefined {
  if (route.kind === 'direct' || route.kind === 'proxy' || (route.kind === 'editor' && editor)) return undefined;
  const code = route.kind === 'editor' ? 'ERR_SOCKS_UNSUPPORTED' : 'ERR_INVALID_URL';
  return { step: 'proxy', code, host: '', source: route.from };
}

/** Why the second way did not work either: "lost" says as much of a GET, while a DELETE may have arrived. */
function causeOfSecond(result: WireResult, { method, origin }: WireRequest): ConnectionCause | undefined {
  if (result.kind === 'unreachable') return result.cause;
  if (result.kind !== 'lost' || method === 'DELETE') return undefined;
  return { step: stepOf(result.code), code: result.code, ...peerOf(new URL(origin)) };
}
