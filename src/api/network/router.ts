import type { Socket } from 'node:net';
import { within } from '../deadline.js';
import type { ConnectionCause } from '../failure.js';
import { exchangeByEditor } from './editorFetch.js';
import { peerOf, stepOf } from './errorCodes.js';
import type { WireRequest, WireResult } from './exchange.js';
import { Opening, type Resolve } from './open.js';
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
  /** Instead of the system's resolver, and of the stores of this machine. */
  readonly resolve?: Resolve;
  readonly readCertificates?: ReadCertificates;
  /** Told when the system's certificates can't be trusted (yet). */
  readonly onTrustTrouble?: (trouble: TrustTrouble) => void;
}

/** Ms. */
const longestConnecting = 10_000;

/** Takes the way to the service that settings and environment prescribe, and remembers where only the editor got through. */
export class Router {
  private trust: Trust;
  private readonly pool = new Pool();
  /** Origins that only the editor could reach. */
  private readonly onlyByEditor = new Set<string>();

  constructor(private readonly options: RouterOptions) {
    this.trust = this.newTrust();
  }

  async exchange(request: WireRequest): Promise<WireResult> {
    const { route, editor } = this.wayTo(request.origin);
    if (route.kind === 'unusable') return { kind: 'unreachable', cause: noProxy(route) };
    if (route.kind === 'editor') {
      return editor ? exchangeByEditor(editor, request) : { kind: 'unreachable', cause: noProxy(route) };
    }
    const direct = () =>
      this.pool.exchange(request, (origin, signal) => this.open(origin, route, editor !== undefined, signal));
    return editor ? this.eitherWay(request, direct, editor) : direct();
  }

  /** Forgets what it has learned, and the connections of other settings; requests under way are not touched. */
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
  private wayTo(origin: string): { readonly route: Route; readonly editor: typeof fetch | undefined } {
    const settings = this.options.settings();
    const route = decideRoute(new URL(origin), settings);
    return { route, editor: mayAskEditor(route, settings) ? this.options.editorFetch : undefined };
  }

  private async open(
    origin: URL,
    route: Extract<Route, { kind: 'direct' | 'proxy' }>,
    mayNeedEditor: boolean,
    signal: AbortSignal,
  ): Promise<Socket> {
    const requestTimeout = this.options.requestTimeout();
    // A second try still has most of what the whole request may take, and is made in time even if that is far longer.
    const forConnection = Math.min(longestConnecting, requestTimeout / 3);
    const wanted = origin.protocol === 'https:' && this.options.settings().systemCertificates;
    const context = await this.trust.context(wanted, requestTimeout - forConnection, signal);
    const proxy = route.kind === 'proxy' ? route.proxy : undefined;
    const way = { proxy, context, resolve: this.options.resolve };
    const connect = (limited: AbortSignal): Promise<Socket> => new Opening(way, limited).connectTo(origin);
    return mayNeedEditor ? within(forConnection, signal, connect) : connect(signal);
  }

  /** One way, and the other one if no connection could be made; first the one that worked last time. */
  private async eitherWay(
    request: WireRequest,
    direct: () => Promise<WireResult>,
    editor: typeof fetch,
  ): Promise<WireResult> {
    const { origin } = request;
    const send = (byEditor: boolean) => (byEditor ? exchangeByEditor(editor, request) : direct());
    const editorFirst = this.onlyByEditor.has(origin);
    const first = await send(editorFirst);
    if (first.kind !== 'unreachable') return first;
    request.onPhase?.('connecting');
    const second = await send(!editorFirst);
    if (editorFirst) this.onlyByEditor.delete(origin);
    else if (second.kind === 'answer' || second.kind === 'lost') this.onlyByEditor.add(origin);
    const cause = causeOf(second, request);
    if (!cause) return second;
    return editorFirst ? { kind: 'unreachable', cause, viaEditor: first.cause } : { ...first, viaEditor: cause };
  }
}

function noProxy({ kind, from }: Extract<Route, { kind: 'editor' | 'unusable' }>): ConnectionCause {
  const code = kind === 'editor' ? 'ERR_SOCKS_UNSUPPORTED' : 'ERR_INVALID_URL';
  return { step: 'proxy', code, host: '', source: from };
}

/** Why the second way did not work either: "lost" says as much of a GET, while a DELETE may have arrived. */
function causeOf(result: WireResult, { method, origin }: WireRequest): ConnectionCause | undefined {
  if (result.kind === 'unreachable') return result.cause;
  if (result.kind !== 'lost' || method === 'DELETE') return undefined;
  return { step: stepOf(result.code), code: result.code, ...peerOf(new URL(origin)) };
}
