import { orStopped } from '../deadline.js';
import { codeOf, neverConnected, tunnelStatus } from './errorCodes.js';
import { type BodyEnd, BodyReader, unreachable, type WireRequest, type WireResult } from './exchange.js';

/**
 * Sends through the editor's own `fetch`, which knows PAC files, system proxies and integrated authentication. It does not say
 * when a request leaves, so a failure counts as "not sent" only if its code can't mean anything else.
 */
export class EditorFetch {
  constructor(private readonly editorFetch: typeof fetch) {}

  async exchange(request: WireRequest): Promise<WireResult> {
    const isTurn = (await request.editorTurn?.()) ?? true;
    if (!isTurn || request.signal.aborted) return { kind: 'stopped', sent: false };
    request.onPhase?.('sending');
    let response: Response;
    try {
      response = await orStopped(this.fetch(request), request.signal);
    } catch (error) {
      return request.signal.aborted ? { kind: 'stopped', sent: true } : failed(error, request);
    }
    const { status } = response;
    const headers = Object.fromEntries<string | undefined>(response.headers);
    const { bytes: limit, patience } = request.wanted(status);
    const { body, end } = await read(response, limit, patience, request.signal);
    return { kind: 'answer', status, headers, body, end };
  }

  private fetch({ origin, path, method, headers, signal }: WireRequest): Promise<Response> {
    // `fetch` sets what it can decode itself.
    const { 'accept-encoding': _, ...others } = headers;
    return this.editorFetch(origin + path, { method, headers: others, redirect: 'manual', signal });
  }
}

/** The body, which `fetch` has decoded. Never rejects. */
async function read(
  response: Response,
  limit: number,
  patience: number | undefined,
  signal: AbortSignal,
): Promise<{ body: Uint8Array; end: BodyEnd }> {
  const patient = new AbortController();
  const timer = patience === undefined ? undefined : setTimeout(() => patient.abort(), patience);
  const stopped = AbortSignal.any([patient.signal, signal]);
  const reader = limit === 0 ? undefined : response.body?.getReader();
  const body = new BodyReader(limit);
  let end: BodyEnd | undefined;
  try {
    for (let done = reader === undefined; !done && !body.full; ) {
      const next = await orStopped(reader!.read(), stopped);
      done = next.done;
      body.take(next.value ?? new Uint8Array());
    }
  } catch {
    end = stopped.aborted ? 'stopped' : 'cut';
  }
  clearTimeout(timer);
  // The rest is not wanted, so nothing waits for its end.
  const unread = reader ?? response.body;
  void unread?.cancel().catch(() => undefined);
  const framed = response.headers.has('content-length') || response.headers.has('transfer-encoding');
  const capped = body.full || (limit === 0 && response.body !== null);
  return body.finish(end ?? (capped ? 'capped' : framed || !response.body ? 'complete' : 'closed'));
}

function failed(error: unknown, { origin }: WireRequest): WireResult {
  const status = tunnelStatus(error);
  // The editor does not say which proxy it was.
  const refusal = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '' } as const;
  if (status !== undefined) return { kind: 'unreachable', cause: { ...refusal, status } };
  return neverConnected(error) ? unreachable(error, origin) : { kind: 'lost', code: codeOf(error) };
}
