import type { LookupFunction, Socket } from 'node:net';
import { within } from '../deadline.js';
import type { ConnectionCause } from '../failure.js';
import { EditorFetch } from './editorFetch.js';
import { ConnectError, peerOf, stepOf } from './errorCodes.js';
import type { WireRequest, WireResult } from './exchange.js';
import { open } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, mayAskEditor, type Route, type RouteSettings } from './route.js';
import { type ReadCertificates, Trust, type TrustTrouble } from './trust.js';

export interface RouterOptions {
  /** Asked anew for every request: a change takes effect with the next one. */
  readonly settings: () => RouteSettings;
  /** The editor's own `fetch`; absent: no second try. */
  readonly editorFetch?: typeof fetch;
  /** Ms: what a whole request may take. */
  readonly requestTimeout: () => number;
  /** Instead of the system's resolver. */
  readonly lookup?: LookupFunction;
  /** Instead of the stores of this machine. */
  readonly readCertificates?: ReadCertificates;
  /** Told when the system's certificates can't be trusted (yet). */
  readonly onTrustTrouble?: (trouble: TrustTrouble) => void;
}

/** Ms. */
const longestConnecting = 10_000;

/** What sends a request: the router, or what stands in for it in a test. */
export type Connector = Pick<Router, keyof Router>;

/** Takes the way to the service that settings and environment prescribe, and remembers by which one it got through. */
export class Router {
  private trust: Trust;
  private readonly editor: EditorFetch | undefined;
  private readonly pool = new Pool((origin, signal) => this.open(origin, signal));
  /** Origins that only the editor could reach. */
  private readonly onlyByEditor = new Set<string>();
  /** By origin. */
  private readonly routes = new Map<string, Route>();
  private decidedBy: RouteSettings | undefined;

  constructor(private readonly options: RouterOptions) {
    this.editor = options.editorFetch && new EditorFetch(options.editorFetch);
    this.trust = this.newTrust();
  }

  async exchange(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.wayTo(request.origin);
    if (route.kind === 'unusable' || (route.kind === 'editor' && !editor)) {
      return { kind: 'unreachable', cause: noProxy(route) };
    }
    if (!editor) return this.pool.exchange(request);
    return route.kind === 'direct' ? this.eitherWay(request, editor) : editor.exchange(request);
  }

  /** Forgets what it has learned about routes; requests under way are not touched. */
  forget(): void {
    this.routes.clear();
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
  private wayTo(origin: string): { readonly route: Route; readonly editor?: EditorFetch | undefined } {
    const settings = this.options.settings();
    if (settings !== this.decidedBy) this.forget();
    this.decidedBy = settings;
    const route = this.routes.get(origin) ?? decideRoute(new URL(origin), settings);
    this.routes.set(origin, route);
    return { route, editor: mayAskEditor(route, settings) ? this.editor : undefined };
  }

  private async open(origin: URL, signal: AbortSignal): Promise<Socket> {
    const { route, editor } = this.wayTo(origin.origin);
    // The settings may have changed since the request was sent here.
    if (route.kind === 'editor' || route.kind === 'unusable') throw new ConnectError(noProxy(route));
    const requestTimeout = this.options.requestTimeout();
    // A second try still has most of what the whole request may take, and is made in time even if that is far longer.
    const forConnection = Math.min(longestConnecting, requestTimeout / 3);
    const wanted = origin.protocol === 'https:' && this.options.settings().systemCertificates;
    const context = await this.trust.context(wanted, requestTimeout - forConnection, signal);
    const { lookup } = this.options;
    const proxy = route.kind === 'proxy' ? route.proxy : undefined;
    const way = { ...(proxy && { proxy }), ...(context && { context }), ...(lookup && { lookup }) };
    return editor ? within(forConnection, signal, (limited) => open(way, origin, limited)) : open(way, origin, signal);
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async eitherWay(request: WireRequest, editor: EditorFetch): Promise<WireResult> {
    const { origin } = request;
    const direct = this.onlyByEditor.has(origin) ? undefined : await this.pool.exchange(request);
    if (direct && direct.kind !== 'unreachable') return direct;
    const viaEditor = await editor.exchange(request);
    if (viaEditor.kind === 'unreachable') this.onlyByEditor.delete(origin);
    else if (viaEditor.kind !== 'stopped') this.onlyByEditor.add(origin);
    if (direct) return bothFailed(request, direct.cause, viaEditor, false) ?? viaEditor;
    if (viaEditor.kind !== 'unreachable') return viaEditor;
    request.onPhase?.('connecting');
    const second = await this.pool.exchange(request);
    return bothFailed(request, viaEditor.cause, second, true) ?? second;
  }
}

function noProxy({ kind, from }: Extract<Route, { kind: 'editor' | 'unusable' }>): ConnectionCause {
  const code = kind === 'editor' ? 'ERR_SOCKS_UNSUPPORTED' : 'ERR_INVALID_URL';
  return { step: 'proxy', code, host: '', source: from };
}

/** Why neither way worked, if that is so: "lost" says as much of a GET, while a DELETE may have arrived. */
function bothFailed(
  { method, origin }: WireRequest,
  first: ConnectionCause,
  second: WireResult,
  editorFirst: boolean,
): WireResult | undefined {
  let cause: ConnectionCause;
  if (second.kind === 'unreachable') {
    ({ cause } = second);
  } else if (second.kind === 'lost' && method === 'GET') {
    cause = { step: stepOf(second.code), code: second.code, ...peerOf(new URL(origin)) };
  } else {
    return undefined;
  }
  const [direct, viaEditor] = editorFirst ? [cause, first] : [first, cause];
  return { kind: 'unreachable', cause: direct, viaEditor };
}
