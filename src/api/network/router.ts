import type { LookupFunction } from 'node:net';
import { connectTimeout, within } from '../deadline.js';
import type { ConnectionCause } from '../failure.js';
import { EditorFetch } from './editorFetch.js';
import { peerOf, stepOf } from './errorCodes.js';
import type { EditorTurn, NeedsEditor, WireRequest, WireResult } from './exchange.js';
import { open } from './open.js';
import { Pool } from './pool.js';
import { decideRoute, type Proxy, type ProxySource, type Route, type RouteSettings, verifies } from './route.js';
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

/** What sends a request: the router, or what stands in for it in a test. */
export type Connector = Pick<Router, keyof Router>;

/** Takes the way to the service that settings and environment prescribe, and remembers by which one it got through. */
export class Router {
  private readonly trust: Trust;
  private readonly editor: EditorFetch | undefined;
  private readonly pools = new Map<string, Pool>();
  /** Origins that only the editor could reach. */
  private readonly onlyByEditor = new Set<string>();
  /** By origin. */
  private readonly routes = new Map<string, Route>();
  private decidedBy: { readonly settings: RouteSettings; readonly text: string } | undefined;

  constructor(private readonly options: RouterOptions) {
    this.editor = options.editorFetch && new EditorFetch(options.editorFetch);
    this.trust = new Trust(options.readCertificates, options.onTrustTrouble);
  }

  /** The next exchange with this origin begins with the editor's `fetch`. */
  viaEditor(origin: string): boolean {
    const settings = this.currentSettings();
    if (!this.editorFor(settings)) return false;
    const route = this.routeTo(origin, settings);
    return route.kind === 'editor' || (editorMayKnow(route) && this.onlyByEditor.has(origin));
  }

  async exchange(request: WireRequest, turn: EditorTurn): Promise<WireResult | NeedsEditor> {
    const settings = this.currentSettings();
    const route = this.routeTo(request.origin, settings);
    const editor = this.editorFor(settings);
    switch (route.kind) {
      case 'proxy':
        return this.pool(settings, false, route.proxy).exchange(request);
      case 'editor':
        if (!editor) return noProxy('ERR_SOCKS_UNSUPPORTED', route.from);
        return turn.hasEditorPlace ? editor.exchange(request) : { kind: 'needsEditor' };
      case 'unusable':
        return noProxy('ERR_INVALID_URL', route.from);
      default:
        return editor && editorMayKnow(route)
          ? this.eitherWay(request, turn, this.pool(settings, true), editor)
          : this.pool(settings, false).exchange(request);
    }
  }

  /** Forgets what it has learned about routes; requests under way are not touched. */
  forget(): void {
    this.routes.clear();
    this.onlyByEditor.clear();
    this.trust.forget();
    for (const pool of this.pools.values()) pool.forget();
    this.pools.clear();
  }

  /** Closes every connection. */
  async close(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.close()));
  }

  private currentSettings(): RouteSettings {
    const settings = this.options.settings();
    // Almost always the very same object as for the request before.
    if (settings !== this.decidedBy?.settings) {
      const text = JSON.stringify(settings);
      if (text !== this.decidedBy?.text) this.forget();
      this.decidedBy = { settings, text };
    }
    return settings;
  }

  private routeTo(origin: string, settings: RouteSettings): Route {
    let route = this.routes.get(origin);
    if (!route) {
      route = decideRoute(new URL(origin), settings);
      this.routes.set(origin, route);
    }
    return route;
  }

  private editorFor(settings: RouteSettings): EditorFetch | undefined {
    return verifies(settings) ? this.editor : undefined;
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async eitherWay(
    request: WireRequest,
    turn: EditorTurn,
    direct: Pool,
    editor: EditorFetch,
  ): Promise<WireResult | NeedsEditor> {
    const { origin } = request;
    let { directFailed } = turn;
    if (!directFailed && !this.onlyByEditor.has(origin)) {
      const first = await direct.exchange(request);
      if (first.kind !== 'unreachable') return first;
      directFailed = first.cause;
    }
    if (!turn.hasEditorPlace) return { kind: 'needsEditor', ...(directFailed && { directFailed }) };
    const viaEditor = await editor.exchange(request);
    if (viaEditor.kind === 'unreachable') this.onlyByEditor.delete(origin);
    else if (viaEditor.kind !== 'stopped') this.onlyByEditor.add(origin);
    if (directFailed) return bothFailed(request, directFailed, viaEditor, false) ?? viaEditor;
    if (viaEditor.kind !== 'unreachable') return viaEditor;
    request.onPhase?.('connecting');
    const second = await direct.exchange(request);
    return bothFailed(request, viaEditor.cause, second, true) ?? second;
  }

  private pool(settings: RouteSettings, mayFallBack: boolean, proxy?: Proxy): Pool {
    const key = JSON.stringify([mayFallBack, proxy]);
    let pool = this.pools.get(key);
    if (!pool) {
      pool = new Pool(async (origin, signal) => {
        const { lookup } = this.options;
        const requestTimeout = this.options.requestTimeout();
        const forConnection = connectTimeout(requestTimeout);
        const wanted = origin.protocol === 'https:' && settings.systemCertificates;
        const context = await this.trust.context(wanted, requestTimeout - forConnection, signal);
        const way = { ...(proxy && { proxy }), ...(context && { context }), ...(lookup && { lookup }) };
        return mayFallBack
          ? within(forConnection, signal, (limited) => open(way, origin, limited))
          : open(way, origin, signal);
      });
      this.pools.set(key, pool);
    }
    return pool;
  }
}

/** Without anything that says which proxy there is, the editor may know one. */
function editorMayKnow(route: Route): boolean {
  return route.kind === 'direct' && route.why === 'noProxyNamed';
}

function noProxy(code: string, source: ProxySource): WireResult {
  return { kind: 'unreachable', cause: { step: 'proxy', code, host: '', source } };
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
