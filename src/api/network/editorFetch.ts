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

/** The editor's `fetch` builds the store of certificates anew for each connection, which holds up the extension host. */
export const maxEditorRequests = 4;

/** What is known of the proxy that a `fetch` goes through. `source`: where its address stands. */
interface ProxyOfFetch extends Pick<ConnectionCause, 'source'> {
  readonly peer?: Peer;
}

/**
 * The editor's `fetch` does not say when a request leaves, so a failure counts as "not sent" only if its code
 * can't mean anything else.
 */
export async function sendByEditor(
  editorFetch: typeof fetch,
  request: WireRequest,
  proxy: ProxyOfFetch = {},
): Promise<WireResult> {
  const { origin, path, method, headers, signal, onPhase, onStep } = request;
  if (!signal.aborted) onPhase?.({ kind: 'sending' });
  // Also if that listener has aborted it.
  if (signal.aborted) return stoppedResult(signal, false);
  const sentAt = performance.now();
  const connections = new FetchConnections(peerOf(new URL(origin)), proxy.peer);
  const step = () =>
    ({ kind: 'http', viaEditor: true, duration: performance.now() - sentAt }) as const;
  try {
    const either = AbortSignal.any([signal, connections.proxyAlert]);
    const fetching = editorFetch(origin + path, {
      method,
      headers,
      redirect: 'manual',
      signal: either,
    });
    const response = await orAborted(fetching, either);
    onStep?.({ ...step(), status: response.status });
    return await readResponse(response, method, signal);
  } catch (error) {
    const result = signal.aborted
      ? stoppedResult(signal, true)
      : failedFetch(error, request, proxy, connections);
    const { failure } = result;
    onStep?.({ ...step(), ...(failure.kind === 'unreachable' && { cause: failure.cause }) });
    return result;
  } finally {
    connections.end();
  }
}

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
  const end = await (maxMs === undefined ? readAll(signal) : withTimeout(maxMs, signal, readAll));
  // The rest of the body is not needed; do not wait for the cancellation.
  void reader?.cancel().catch(() => undefined);
  return { kind: 'answer', status, headers, receivedAt, body: body.bytes, ...end };
}

function failedFetch(
  error: unknown,
  { origin }: WireRequest,
  proxy: ProxyOfFetch,
  connections: FetchConnections,
): Unanswered {
  const { peer, source } = proxy;
  const from = source !== undefined && { source };
  // `fetch` fails on a 407 of whoever answers (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
  if (isProxyAuthentication(error))
    return { kind: 'unanswered', failure: { kind: 'clientError', status: 407 }, maybeSent: true };
  const status = refusedTunnelStatus(error);
  if (status !== undefined) {
    return proxyFailed({ code: 'ERR_PROXY_TUNNEL', ...peer, ...from, status }, origin);
  }
  const asked = peerOf(new URL(origin));
  const reason = connections.reasonOf(error);
  const code = codeOf(reason);
  if (peer && connections.proxyAlert.aborted)
    return proxyFailed({ code, ...peer, ...from }, origin);
  const unconnected = connections.failedPeer(error);
  // What is no HTTP then was a proxy's answer to CONNECT.
  if (unconnected && peer && isInvalidHttp(code))
    return proxyFailed({ code, ...peer, ...from }, origin);
  if (unconnected && isOfHandshake(reason, unconnected, peer ?? asked)) {
    if (!isSamePeer(unconnected, asked))
      return proxyFailed({ code, ...(peer ?? unconnected), ...from }, origin);
    return unreachableResult(toConnectError(reason, asked, { step: 'tls' }), origin);
  }
  if (!failedToConnect(reason)) return connectionLostResult(reason, origin);
  const failed = failedProxyPeer(reason, asked, peer);
  return failed
    ? proxyFailed({ code, ...failed, ...from }, origin)
    : unreachableResult(reason, origin);
}

/**
 * Whether a connection that was not made failed in its handshake. What resets one to the platform may
 * also be a proxy. `first`: to whom connections go first.
 */
function isOfHandshake(error: unknown, unconnected: Peer, first: Peer): boolean {
  if (failedStepOf(codeOf(error)) === 'tls') return true;
  return isResetByPeer(error) && isSamePeer(unconnected, first);
}

function proxyFailed(
  facts: Omit<ConnectionCause, 'step' | 'host'> & Partial<Peer>,
  origin: string,
): Unanswered {
  return unreachableResult(new ConnectError({ step: 'proxy', host: '', ...facts }), origin);
}
