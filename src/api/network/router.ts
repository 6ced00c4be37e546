import type { LookupFunction } from 'node:net';
import { connectTimeout, within } from '../deadline.js';
import type { ConnectionCause } from '../failure.js';
import { EditorConnector } from './editorFetch.js';
import { peerOf, stepOf } from './errorCodes.js';
import type { Connector, EditorTurn, NeedsEditor, WireRequest, WireResult } from './exchange.js';
import { open } from './open.js';
import { PooledConnector } from './pool.js';
import { decideRoute, type Proxy, type ProxySource, type Route, type RouteSettings, verifies } from './route.js';
import { type ReadCertificates, Trust, type TrustTrouble } from './trust.js';

export interface RoutedConnectorOptions {
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

/** Takes the way to the service that settings and environment prescribe, and remembers by which one it got through. */
export function routedConnector(options: RoutedConnectorOptions): Connector {
  return new RoutedConnector(options);
}

class RoutedConnector implements Connector {
  readonly #trust: Trust;
  readonly #editor: EditorConnector | undefined;
  readonly #pools = new Map<string, PooledConnector>();
  /** Origins that only the editor could reach. */
  readonly #viaEditor = new Set<string>();
  /** By origin. */
  readonly #routes = new Map<string, Route>();
  #decidedBy: { readonly settings: RouteSettings; readonly text: string } | undefined;

  constructor(private readonly options: RoutedConnectorOptions) {
    this.#editor = options.editorFetch && new EditorConnector(options.editorFetch);
    this.#trust = new Trust(options.readCertificates, options.onTrustTrouble);
  }

  viaEditor(origin: string): boolean {
    const settings = this.#currentSettings();
    if (!this.#editorFor(settings)) return false;
    const route = this.#routeTo(origin, settings);
    return route.kind === 'editor' || (editorMayKnow(route) && this.#viaEditor.has(origin));
  }

  async exchange(request: WireRequest, turn: EditorTurn): Promise<WireResult | NeedsEditor> {
    const settings = this.#currentSettings();
    const route = this.#routeTo(request.origin, settings);
    const editor = this.#editorFor(settings);
    switch (route.kind) {
      case 'proxy':
        return this.#pool(settings, false, route.proxy).exchange(request);
      case 'editor':
        if (!editor) return noProxy('ERR_SOCKS_UNSUPPORTED', route.from);
        return turn.hasEditorPlace ? editor.exchange(request) : { kind: 'needsEditor' };
      case 'unusable':
        return noProxy('ERR_INVALID_URL', route.from);
      default:
        return editor && editorMayKnow(route)
          ? this.#eitherWay(request, turn, this.#pool(settings, true), editor)
          : this.#pool(settings, false).exchange(request);
    }
  }

  forget(): void {
    this.#routes.clear();
    this.#viaEditor.clear();
    this.#trust.forget();
    for (const pool of this.#pools.values()) {
      pool.forget();
    }
    this.#pools.clear();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }

  #currentSettings(): RouteSettings {
    const settings = this.options.settings();
    // Almost always the very same object as for the request before.
    if (settings !== this.#decidedBy?.settings) {
      const text = JSON.stringify(settings);
      if (text !== this.#decidedBy?.text) {
        this.forget();
      }
      this.#decidedBy = { settings, text };
    }
    return settings;
  }

  #routeTo(origin: string, settings: RouteSettings): Route {
    let route = this.#routes.get(origin);
    if (!route) {
      route = decideRoute(new URL(origin), settings);
      this.#routes.set(origin, route);
    }
    return route;
  }

  #editorFor(settings: RouteSettings): EditorConnector | undefined {
    return verifies(settings) ? this.#editor : undefined;
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  async #eitherWay(
    request: WireRequest,
    turn: EditorTurn,
    direct: PooledConnector,
    editor: EditorConnector,
  ): Promise<WireResult | NeedsEditor> {
    const { origin } = request;
    let { directFailed } = turn;
    if (!directFailed && !this.#viaEditor.has(origin)) {
      const first = await direct.exchange(request);
      if (first.kind !== 'unreachable') return first;
      directFailed = first.cause;
    }
    if (!turn.hasEditorPlace) return { kind: 'needsEditor', ...(directFailed && { directFailed }) };
    const viaEditor = await editor.exchange(request);
    if (viaEditor.kind === 'unreachable') this.#viaEditor.delete(origin);
    else if (viaEditor.kind !== 'stopped') this.#viaEditor.add(origin);
    if (directFailed) return bothFailed(request, directFailed, viaEditor, false) ?? viaEditor;
    if (viaEditor.kind !== 'unreachable') return viaEditor;
    request.onPhase?.('connecting');
    const second = await direct.exchange(request);
    return bothFailed(request, viaEditor.cause, second, true) ?? second;
  }

  #pool(settings: RouteSettings, mayFallBack: boolean, proxy?: Proxy): PooledConnector {
    const key = JSON.stringify([mayFallBack, proxy]);
    let pool = this.#pools.get(key);
    if (!pool) {
      pool = new PooledConnector(async (origin, signal) => {
        const { lookup } = this.options;
        const requestTimeout = this.options.requestTimeout();
        const forConnection = connectTimeout(requestTimeout);
        const wanted = origin.protocol === 'https:' && settings.systemCertificates;
        const context = await this.#trust.context(wanted, requestTimeout - forConnection, signal);
        const way = { ...(proxy && { proxy }), ...(context && { context }), ...(lookup && { lookup }) };
        return mayFallBack
          ? within(forConnection, signal, (limited) => open(way, origin, limited))
          : open(way, origin, signal);
      });
      this.#pools.set(key, pool);
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
