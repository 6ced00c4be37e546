import { orStopped, within } from '../deadline.js';
import { codeOf, neverConnected, tunnelStatus } from './errorCodes.js';
import { type BodyEnd, BodyReader, isFramed, unreachable, type WireRequest, type WireResult } from './exchange.js';

/**
 * Sends through the editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. It does not say
 * when a request leaves, so a failure counts as "not sent" only if its code can't mean anything else.
 */
export async function exchangeByEditor(editorFetch: typeof fetch, request: WireRequest): Promise<WireResult> {
  const { origin, path, method, signal } = request;
  const isTurn = (await request.editorTurn?.()) ?? true;
  if (!isTurn || signal.aborted) return { kind: 'stopped', sent: false };
  request.onPhase?.('sending');
  // `fetch` sets what it can decode itself.
  const { 'accept-encoding': _, ...sent } = request.headers;
  let response: Response;
  try {
    response = await orStopped(
      editorFetch(origin + path, { method, headers: sent, redirect: 'manual', signal }),
      signal,
    );
  } catch (error) {
    return signal.aborted ? { kind: 'stopped', sent: true } : failed(error, request);
  }
  const { status } = response;
  const headers = Object.fromEntries<string | undefined>(response.headers);
  const { bytes, patience } = request.wanted(status);
  const body = new BodyReader(bytes);
  const reader = response.body?.getReader();
  // `fetch` has decoded what is read here.
  const readAll = async (stopped: AbortSignal): Promise<BodyEnd> => {
    try {
      for (;;) {
        if (!reader) return 'complete';
        if (body.full) return 'capped';
        const next = await orStopped(reader.read(), stopped);
        if (next.done) return isFramed(headers) ? 'complete' : 'closed';
        body.take(next.value);
      }
    } catch {
      return stopped.aborted ? 'stopped' : 'cut';
    }
  };
  const end = await (patience === undefined ? readAll(signal) : within(patience, signal, readAll));
  // The rest is not wanted, so nothing waits for its end.
  void reader?.cancel().catch(() => undefined);
  return { kind: 'answer', status, headers, ...(await body.finish(end)) };
}

function failed(error: unknown, { origin }: WireRequest): WireResult {
  const status = tunnelStatus(error);
  // The editor does not say which proxy it was.
  const refusal = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '' } as const;
  if (status !== undefined) return { kind: 'unreachable', cause: { ...refusal, status } };
  return neverConnected(error) ? unreachable(error, origin) : { kind: 'lost', code: codeOf(error) };
}
