import { orAborted, within } from '../abort.js';
import { codeOf, neverConnected, tunnelStatus } from './errorCodes.js';
import {
  type BodyEnd,
  BodyReader,
  bodyLimit,
  isFramed,
  unreachable,
  type WireAnswer,
  type WireRequest,
  type WireResult,
} from './exchange.js';

/** The editor's `fetch` builds the store of certificates anew for each connection. */
export const maxEditorRequests = 4;

/**
 * Sends through the editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. It does not say
 * when a request leaves, so a failure counts as "not sent" only if its code can't mean anything else.
 */
export async function sendByEditor(editorFetch: typeof fetch, request: WireRequest): Promise<WireResult> {
  const { origin, path, method, signal, onEvent } = request;
  if (signal.aborted) return { kind: 'stopped', sent: false };
  const sentAt = performance.now();
  onEvent({ kind: 'sending' });
  const step = (): { kind: 'http'; viaEditor: true; duration: number } => {
    return { kind: 'http', viaEditor: true, duration: performance.now() - sentAt };
  };
  // `fetch` sets what it can decode itself.
  const { 'accept-encoding': _, ...headers } = request.headers;
  try {
    const fetching = editorFetch(origin + path, { method, headers, redirect: 'manual', signal });
    const response = await orAborted(fetching, signal);
    onEvent({ ...step(), status: response.status });
    return await readResponse(response, method, signal);
  } catch (error) {
    if (signal.aborted) return { kind: 'stopped', sent: true };
    const result = failedFetch(error, request);
    if (result.kind === 'unreachable') onEvent({ ...step(), cause: result.cause });
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
  const { bytes, ms } = bodyLimit(method, status);
  const body = new BodyReader(bytes);
  const reader = response.body?.getReader();
  // `fetch` has decoded what is read here.
  const readAll = async (stopped: AbortSignal): Promise<BodyEnd> => {
    try {
      if (!reader) return 'complete';
      while (!body.full) {
        const next = await orAborted(reader.read(), stopped);
        if (next.done) return isFramed(headers) ? 'complete' : 'closed';
        body.take(next.value);
      }
      return 'capped';
    } catch {
      return stopped.aborted ? 'stopped' : 'cut';
    }
  };
  const end = await (ms === undefined ? readAll(signal) : within(ms, signal, readAll));
  // The rest of the body is not needed; do not wait for the cancellation.
  void reader?.cancel().catch(() => undefined);
  return { kind: 'answer', status, headers, ...(await body.finish(end)) };
}

function failedFetch(error: unknown, { origin }: WireRequest): Extract<WireResult, { kind: 'unreachable' | 'lost' }> {
  const status = tunnelStatus(error);
  // The editor does not say which proxy it was.
  const refusal = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '' } as const;
  if (status !== undefined) return { kind: 'unreachable', cause: { ...refusal, status } };
  return neverConnected(error) ? unreachable(error, origin) : { kind: 'lost', code: codeOf(error) };
}
