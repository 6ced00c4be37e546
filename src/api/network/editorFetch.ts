import { orAborted, withTimeout } from '../abort.js';
import { type ConnectionCause, isSamePeer, type Peer, peerOf } from '../failure.js';
import { type BodyEnd, BodyReader, endOfBody, maxBodyBytes, maxBodyMs } from './body.js';
import {
  ConnectError,
  codeOf,
  failedProxyPeer,
  failedStepOf,
  failedToConnect,
  isInvalidHttp,
  isProxyAuthentication,
  isResetByPeer,
  refusedTunnelStatus,
  toConnectError,
} from './errorCodes.js';
import { FetchConnections } from './fetchConnections.js';
import {
  connectionLostResult,
  stoppedResult,
  type Unanswered,
  unreachableResult,
  type WireAnswer,
  type WireRequest,
  type WireResult,
} from './wire.js';

/**
 * The editor's `fetch` makes a certificate store for each connection, which holds up the extension
 * host.
 */
export const maxEditorRequests = 4;

/** What is known of the proxy that a `fetch` goes through. */
interface ProxyOfFetch {
  /** The proxy that all connections go through; absent if only VS Code knows it. */
  readonly peer?: Peer;
  /** The setting or variable with the proxy's address. */
  readonly source?: ConnectionCause['source'];
}

/**
 * Sends a request with the editor's `fetch`, for `src/check` with Node's. Never rejects. `fetch`
 * does not say when a request leaves, so a failure counts as "not sent" only if its code cannot
 * mean anything else.
 */
export async function sendByEditor(
  editorFetch: typeof fetch,
  request: WireRequest,
  proxy: ProxyOfFetch = {},
): Promise<WireResult> {
  const { origin, path, method, headers, signal, onPhase, onStep } = request;
  if (!signal.aborted) onPhase?.({ kind: 'sending' });
  // That listener may have aborted the request.
  if (signal.aborted) return stoppedResult(signal, false);
  const sentAt = performance.now();
  const connections = new FetchConnections(peerOf(new URL(origin)), proxy.peer);
  const newStep = () =>
    ({ kind: 'http', viaEditor: true, duration: performance.now() - sentAt }) as const;
  try {
    const abortedOrBroken = AbortSignal.any([signal, connections.proxyAlert]);
    const fetching = editorFetch(origin + path, {
      method,
      headers,
      redirect: 'manual',
      signal: abortedOrBroken,
    });
    const response = await orAborted(fetching, abortedOrBroken);
    onStep?.({ ...newStep(), status: response.status });
    return await readResponse(response, method, signal);
  } catch (error) {
    const result = signal.aborted
      ? stoppedResult(signal, true)
      : failedFetchResult(error, request, proxy, connections);
    const { failure } = result;
    const step = newStep();
    onStep?.(failure.kind === 'unreachable' ? { ...step, cause: failure.cause } : step);
    return result;
  } finally {
    connections.end();
  }
}

/** Reads the body as far as it counts. Never rejects. */
async function readResponse(
  response: Response,
  method: WireRequest['method'],
  signal: AbortSignal,
): Promise<WireAnswer> {
  const { status } = response;
  const receivedAt = Date.now();
  const headers = Object.fromEntries<string | undefined>(response.headers);
  const body = new BodyReader(maxBodyBytes(method, status));
  const reader = response.body?.getReader();
  const readAll = async (limited: AbortSignal): Promise<BodyEnd> => {
    try {
      if (!reader) return { end: 'complete' };
      while (!body.isFull) {
        const next = await orAborted(reader.read(), limited);
        if (next.done) return endOfBody(headers);
        body.take(next.value);
      }
      return { end: 'capped' };
    } catch (error) {
      return endOfBody(headers, error);
    }
  };
  const maxMs = maxBodyMs(method, status);
  const bodyEnd = await (maxMs === undefined
    ? readAll(signal)
    : withTimeout(maxMs, signal, readAll));
  // Nothing after that is needed, and the cancellation may never end.
  void reader?.cancel().catch(() => undefined);
  return { kind: 'answer', status, headers, receivedAt, body: body.bytes, ...bodyEnd };
}

/** The result when `fetch` rejected with `error`, which often hides whether a proxy is to blame. */
function failedFetchResult(
  error: unknown,
  { origin }: WireRequest,
  proxy: ProxyOfFetch,
  connections: FetchConnections,
): Unanswered {
  const platform = peerOf(new URL(origin));
  const proxyFailed = (facts: ProxyFacts): Unanswered => {
    const { source } = proxy;
    const cause: ConnectionCause = { step: 'proxy', host: '', ...facts };
    const blamed = source === undefined ? cause : { ...cause, source };
    return unreachableResult(new ConnectError(blamed), origin);
  };

  // `fetch` fails on any 407, even of the platform
  // (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
  if (isProxyAuthentication(error)) {
    const failure = { kind: 'clientError', status: 407 } as const;
    return { kind: 'unanswered', failure, maybeSent: true };
  }
  const tunnelStatus = refusedTunnelStatus(error);
  if (tunnelStatus !== undefined)
    return proxyFailed({ code: 'ERR_PROXY_TUNNEL', ...proxy.peer, status: tunnelStatus });

  const reason = connections.reasonOf(error);
  const code = codeOf(reason);
  if (proxy.peer && connections.proxyAlert.aborted) return proxyFailed({ code, ...proxy.peer });

  const unconnectedPeer = connections.failedPeer(error);
  if (unconnectedPeer) {
    // Without a connection, an answer that is no HTTP came from a proxy, to CONNECT.
    if (proxy.peer && isInvalidHttp(code)) return proxyFailed({ code, ...proxy.peer });
    if (isOfHandshake(reason, unconnectedPeer, proxy.peer ?? platform)) {
      if (!isSamePeer(unconnectedPeer, platform))
        return proxyFailed({ code, ...(proxy.peer ?? unconnectedPeer) });
      return unreachableResult(toConnectError(reason, platform, { step: 'tls' }), origin);
    }
  }

  if (!failedToConnect(reason)) return connectionLostResult(reason, origin);
  const failedProxy = failedProxyPeer(reason, platform, proxy.peer);
  if (failedProxy) return proxyFailed({ code, ...failedProxy });
  return unreachableResult(reason, origin);
}

/** Of a step at a proxy, whose host is not always known. */
type ProxyFacts = Pick<ConnectionCause, 'code' | 'status'> & Partial<Peer>;

/**
 * Whether the TLS handshake failed, of a connection that was not made. A reset counts only from the
 * peer that connections go to first (`firstPeer`), because a reset of a connection to the platform
 * may also come from a proxy.
 */
function isOfHandshake(error: unknown, unconnectedPeer: Peer, firstPeer: Peer): boolean {
  if (failedStepOf(codeOf(error)) === 'tls') return true;
  return isResetByPeer(error) && isSamePeer(unconnectedPeer, firstPeer);
}
