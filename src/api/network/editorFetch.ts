import { orAborted, withTimeout } from '../abort.js';
import { type ConnectionCause, type Peer, peerOf } from '../failure.js';
import { type BodyEnd, BodyReader, endOfBody, maxBodyBytes, maxBodyMs } from './body.js';
import {
  ConnectError,
  codeOf,
  failedProxy,
  isProxyAuthentication,
  neverConnected,
  tunnelStatus,
} from './errorCodes.js';
import {
  lost,
  stopped,
  type Unanswered,
  unreachable,
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
  if (signal.aborted) return stopped(signal, false);
  const sentAt = performance.now();
  const step = () => ({ kind: 'http', viaEditor: true, duration: performance.now() - sentAt }) as const;
  try {
    const fetching = editorFetch(origin + path, { method, headers, redirect: 'manual', signal });
    const response = await orAborted(fetching, signal);
    onStep?.({ ...step(), status: response.status });
    return await readResponse(response, method, signal);
  } catch (error) {
    const result = signal.aborted ? stopped(signal, true) : failedFetch(error, request, proxy);
    const { failure } = result;
    onStep?.({ ...step(), ...(failure.kind === 'unreachable' && { cause: failure.cause }) });
    return result;
  }
}

async function readResponse(
  response: Response,
  method: WireRequest['method'],
  signal: AbortSignal,
): Promise<WireAnswer> {
  const { status } = response;
  const headers = Object.fromEntries<string | undefined>(response.headers);
  const body = new BodyReader(maxBodyBytes(method, status));
  const reader = response.body?.getReader();
  const readAll = async (limited: AbortSignal): Promise<BodyEnd> => {
    try {
      if (!reader) return { end: 'complete' };
      while (!body.full) {
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
  return { kind: 'answer', status, headers, body: body.bytes, ...end };
}

function failedFetch(error: unknown, { origin }: WireRequest, { peer, source }: ProxyOfFetch): Unanswered {
  const from = source !== undefined && { source };
  // `fetch` fails on a 407 of whoever answers (https://fetch.spec.whatwg.org/#http-network-or-cache-fetch).
  if (isProxyAuthentication(error))
    return { kind: 'unanswered', failure: { kind: 'clientError', status: 407 }, sent: true };
  const status = tunnelStatus(error);
  if (status !== undefined) {
    return proxyFailed({ code: 'ERR_PROXY_TUNNEL', ...peer, ...from, status }, origin);
  }
  if (!neverConnected(error)) return lost(error);
  const failed = failedProxy(error, peerOf(new URL(origin)), peer);
  return failed ? proxyFailed({ code: codeOf(error), ...failed, ...from }, origin) : unreachable(error, origin);
}

function proxyFailed(facts: Omit<ConnectionCause, 'step' | 'host'> & Partial<Peer>, origin: string): Unanswered {
  return unreachable(new ConnectError({ step: 'proxy', host: '', ...facts }), origin);
}
