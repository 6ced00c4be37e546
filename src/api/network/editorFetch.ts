import { orAborted } from '../abort.js';
import { codeOf, neverConnected, tunnelStatus } from './errorCodes.js';
import {
  type BodyEnd,
  BodyReader,
  isFramed,
  maxBodyBytes,
  unreachable,
  type WireAnswer,
  type WireRequest,
  type WireResult,
} from './wire.js';

/** The editor's `fetch` builds the store of certificates anew for each connection, which holds up the extension host. */
export const maxEditorRequests = 4;

/** The editor's `fetch` does not say when a request leaves, so a failure counts as "not sent" only if its code can't mean anything else. */
export async function sendByEditor(editorFetch: typeof fetch, request: WireRequest, proxy = ''): Promise<WireResult> {
  const { origin, path, method, headers, signal, onPhase, onStep } = request;
  if (signal.aborted) return { kind: 'stopped', sent: false };
  const sentAt = performance.now();
  onPhase?.({ kind: 'sending' });
  const step = () => ({ kind: 'http', viaEditor: true, duration: performance.now() - sentAt }) as const;
  try {
    const fetching = editorFetch(origin + path, { method, headers, redirect: 'manual', signal });
    const response = await orAborted(fetching, signal);
    onStep?.({ ...step(), status: response.status });
    return await readResponse(response, method, signal);
  } catch (error) {
    const result: WireResult = signal.aborted ? { kind: 'stopped', sent: true } : failedFetch(error, request, proxy);
    onStep?.({ ...step(), ...(result.kind === 'unreachable' && { cause: result.cause }) });
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
  const readAll = async (): Promise<BodyEnd> => {
    try {
      if (!reader) return 'complete';
      while (!body.full) {
        const next = await orAborted(reader.read(), signal);
        if (next.done) return isFramed(headers) ? 'complete' : 'closed';
        body.take(next.value);
      }
      return 'capped';
    } catch {
      return signal.aborted ? 'stopped' : 'cut';
    }
  };
  const end = await readAll();
  // The rest of the body is not needed; do not wait for the cancellation.
  void reader?.cancel().catch(() => undefined);
  return { kind: 'answer', status, headers, ...(await body.finish(end)) };
}

function failedFetch(error: unknown, { origin }: WireRequest, proxy: string): WireResult {
  const status = tunnelStatus(error);
  const refusal = { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: proxy } as const;
  if (status !== undefined) return { kind: 'unreachable', cause: { ...refusal, status } };
  return neverConnected(error) ? unreachable(error, origin) : { kind: 'lost', code: codeOf(error) };
}
