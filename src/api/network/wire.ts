import { createGunzip } from 'node:zlib';
import type { Client, Dispatcher } from 'undici';
import type { Call } from '../call.js';
import { type ConnectionCause, type Failure, peerOf } from '../failure.js';
import { codeOf, connectError, failureOf, stepOf } from './errorCodes.js';

export interface WireRequest extends Pick<Call, 'signal' | 'urgent' | 'onPhase' | 'onStep'> {
  readonly method: 'GET' | 'DELETE';
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Never a pooled connection, so that "not sent" differs from "outcome unknown". */
  readonly ownConnection: boolean;
}

const maxAnswerBytes = 4 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/** How much of an answer's body is read. Nothing in that of a redirect counts. */
export function maxBodyBytes(method: WireRequest['method'], status: number): number {
  if (status >= 300 && status < 400) return 0;
  return method === 'GET' && status < 300 ? maxAnswerBytes : maxRefusalBytes;
}

/**
 * How long the body of an answer is waited for, in ms; `undefined`: as long as the request lasts. A
 * successful revocation needs no body: that only shows whether it is a web page.
 */
export function maxBodyMs(method: WireRequest['method'], status: number): number | undefined {
  return method === 'GET' || status >= 300 ? undefined : 1000;
}

/** `closed`: with the connection, for want of framing. `cut`: before its framing says, also by us. `capped`: more came than is read. */
export type BodyEnd = 'complete' | 'closed' | 'cut' | 'capped';

/** Names of headers are in lower case, and the body is decoded. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly end: BodyEnd;
}

export interface Unanswered {
  readonly kind: 'unanswered';
  readonly failure: Failure;
  /** Whether the platform may have got the request. */
  readonly sent: boolean;
}

export type WireResult = WireAnswer | Unanswered;

/**
 * Never rejects. Only undici's `dispatch` says when it is about to write a request, so that "not sent" is a
 * fact. `socketError`: of the client's connection, also one that came before undici listened.
 */
export function send(client: Client, request: WireRequest, socketError: () => unknown): Promise<WireResult> {
  const { origin, path, method, ownConnection, signal, onPhase, onStep } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: { readonly status: number; readonly headers: Headers; readonly body: BodyReader } | undefined;
    let bodyTimer: NodeJS.Timeout | undefined;
    let sentAt = 0;
    let finished = false;

    const finish = (end: BodyEnd, withoutAnswer: Unanswered): void => {
      if (finished) return;
      finished = true;
      clearTimeout(bodyTimer);
      signal.removeEventListener('abort', stop);
      if (!answer) {
        if (controller) onStep?.({ kind: 'http', viaEditor: false, duration: performance.now() - sentAt });
        resolve(withoutAnswer);
        return;
      }
      const { status, headers, body } = answer;
      resolve(body.finish(end).then((whole) => ({ kind: 'answer', status, headers, ...whole })));
    };
    const giveUp = (end: BodyEnd): void => {
      finish(end, stopped(signal, controller !== undefined));
      controller?.abort(new Error('stopped'));
    };
    const stop = (): void => giveUp('cut');

    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop);
    client.dispatch(
      {
        origin,
        path,
        method,
        // Decoded here, because undici would count compressed bytes only.
        headers: { ...request.headers, 'accept-encoding': 'gzip' },
        reset: ownConnection,
      },
      {
        onRequestStart(started): void {
          if (!finished) onPhase?.({ kind: 'sending' });
          // That listener may have aborted it, too: undici writes it only after this.
          if (finished) {
            started.abort(new Error('stopped'));
            return;
          }
          controller = started;
          sentAt = performance.now();
        },
        onResponseStart(_controller, status, received): void {
          if (status < 200 || finished) return;
          onStep?.({ kind: 'http', viaEditor: false, status, duration: performance.now() - sentAt });
          const headers = headersOf(received);
          const isGzip = /\bgzip\b/i.test(headers['content-encoding'] ?? '');
          const body = new BodyReader(maxBodyBytes(method, status), isGzip);
          answer = { status, headers, body };
          const maxMs = maxBodyMs(method, status);
          if (maxMs !== undefined) bodyTimer = setTimeout(stop, maxMs);
          if (body.full) giveUp('capped');
        },
        onResponseData(_controller, chunk): void {
          if (finished || !answer) return;
          answer.body.take(chunk);
          if (answer.body.full) giveUp('capped');
        },
        onResponseEnd(): void {
          finish(answer && !isFramed(answer.headers) ? 'closed' : 'complete', lost(undefined, origin));
        },
        onResponseError(_controller, error): void {
          const reason = socketError() ?? error;
          finish('cut', controller ? lost(reason, origin) : unreachable(reason, origin));
        },
      },
    );
  });
}

type Headers = Readonly<Record<string, string | undefined>>;

export function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const entries = Object.entries(received);
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

export function isFramed(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

export function unreachable(error: unknown, origin: string): Unanswered {
  const { facts } = connectError(error, peerOf(new URL(origin)));
  return { kind: 'unanswered', failure: { kind: 'unreachable', cause: facts }, sent: false };
}

/** Of TLS 1.3 the platform's part of the handshake may end after the request has left: it refuses then who has no certificate. */
export function lost(error: unknown, origin: string): Unanswered {
  const code = codeOf(error);
  const cause: ConnectionCause = { step: 'tls', code, ...peerOf(new URL(origin)), isAfterHandshake: true };
  if (stepOf(code) === 'tls') return { kind: 'unanswered', failure: { kind: 'unreachable', cause }, sent: true };
  return { kind: 'unanswered', failure: { kind: 'connectionLost', code }, sent: true };
}

export function stopped({ reason }: AbortSignal, sent: boolean): Unanswered {
  return { kind: 'unanswered', failure: failureOf(reason), sent };
}

/** Takes at most `limit` bytes, and decodes them to as many. Bytes that are no gzip although they should be stay as they are. */
export class BodyReader {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  full: boolean;

  constructor(
    private readonly limit: number,
    private readonly isGzip = false,
  ) {
    this.full = limit === 0;
  }

  take(chunk: Uint8Array): void {
    const part = chunk.subarray(0, this.limit - this.length);
    this.chunks.push(part);
    this.length += part.length;
    this.full ||= part.length < chunk.length;
  }

  async finish(end: BodyEnd): Promise<{ body: Uint8Array; end: BodyEnd }> {
    const raw = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    if (!this.isGzip || raw.length === 0) return { body: raw, end };
    const decoded = new BodyReader(this.limit);
    const code = await decode(raw, decoded);
    const body = Buffer.concat(decoded.chunks);
    // Bytes that end too early are gzip, as far as they go.
    if (code !== undefined && code !== 'Z_BUF_ERROR' && body.length === 0) return { body: raw, end };
    if (decoded.full) return { body, end: 'capped' };
    return { body, end: code !== undefined && (end === 'complete' || end === 'closed') ? 'cut' : end };
  }
}

async function decode(bytes: Uint8Array, decoded: BodyReader): Promise<string | undefined> {
  try {
    for await (const chunk of createGunzip().end(bytes) as AsyncIterable<Buffer>) {
      decoded.take(chunk);
      if (decoded.full) break;
    }
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}
