import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Client, Dispatcher } from 'undici';
import { type ConnectionCause, peerOf } from '../failure.js';
import { ConnectError, codeOf, connectError } from './errorCodes.js';
import type { ConnectionStep } from './steps.js';

/** One request on its way: no redirects, no repeats, no body. */
export interface WireRequest {
  readonly method: 'GET' | 'DELETE';
  readonly origin: string;
  /** Sent as it stands. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** On a connection of its own, never a pooled one, so that "not sent" can be told from "outcome unknown". */
  readonly ownConnection: boolean;
  readonly onEvent: (event: WireEvent) => void;
}

/**
 * What happens to a request. `connecting`: it begins a way, and stopping it keeps it from being sent, until `sending`: in this moment it
 * is written, or left to the editor.
 */
export type WireEvent = { readonly kind: 'connecting' | 'sending' } | ConnectionStep;

/** Bytes of a decoded answer; more is `tooLarge`. */
const maxBodyBytes = 4 * 1024 * 1024;
/** More than anyone sees of a refusal. */
const maxRefusalBytes = 64 * 1024;
/** After the status line of a refusal: a body that drips is not worth more. */
const maxRefusalMs = 2000;

/** How much of the body of an answer is read. 0 bytes: none, and the connection is given up. */
export function bodyLimit(
  method: WireRequest['method'],
  status: number,
): { readonly bytes: number; readonly ms?: number } {
  if (status >= 400) return { bytes: maxRefusalBytes, ms: maxRefusalMs };
  // The body of a redirect or of a successful revocation is not read, since nothing in it counts.
  return { bytes: method === 'GET' && status < 300 ? maxBodyBytes : 0 };
}

/**
 * Where a body ended. `complete`: where its framing says. `closed`: with the connection, for want of framing, so perhaps
 * too early. `cut`: before its framing says. `capped`: more came than is read. `stopped`: out of time, or the signal.
 */
export type BodyEnd = 'complete' | 'closed' | 'cut' | 'capped' | 'stopped';

/** `headers`: names in lower case; `body`: decoded. */
export interface WireAnswer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly end: BodyEnd;
}

/** What became of one request that was sent once. Sending never rejects. */
export type WireResult =
  | WireAnswer
  /** No connection could be made: nothing was sent. */
  | { readonly kind: 'unreachable'; readonly cause: ConnectionCause; readonly viaEditor?: ConnectionCause }
  /** Sent, but no status line came back; `code` as in `Failure.connectionLost`. */
  | { readonly kind: 'lost'; readonly code: string }
  /** The signal ended it before a status line. */
  | { readonly kind: 'stopped'; readonly sent: boolean };

/**
 * Sends over one connection of undici. It uses `dispatch`, the level at which undici says when it is about to write
 * the request: what is stopped earlier is never written, so that "not sent" is a fact.
 */
export function send(client: Client, request: WireRequest): Promise<WireResult> {
  const { origin, path, method, headers: sent, ownConnection, signal, onEvent } = request;
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: { readonly status: number; readonly headers: Headers; readonly body: BodyReader } | undefined;
    let slowBody: NodeJS.Timeout | undefined;
    let sentAt = 0;
    let finished = false;

    const finish = (end: BodyEnd, withoutAnswer: WireResult): void => {
      if (finished) return;
      finished = true;
      clearTimeout(slowBody);
      signal.removeEventListener('abort', stop);
      if (!answer) {
        resolve(withoutAnswer);
        return;
      }
      const { status, headers, body } = answer;
      resolve(body.finish(end).then((whole) => ({ kind: 'answer', status, headers, ...whole })));
    };
    const giveUp = (end: BodyEnd): void => {
      finish(end, { kind: 'stopped', sent: controller !== undefined });
      controller?.abort(new Error('stopped'));
    };
    const stop = (): void => giveUp('stopped');

    if (signal.aborted) {
      stop();
      return;
    }
    signal.addEventListener('abort', stop);
    client.dispatch(
      { origin, path, method, headers: { ...sent }, reset: ownConnection },
      {
        onRequestStart(started): void {
          if (finished) {
            started.abort(new Error('stopped'));
            return;
          }
          controller = started;
          sentAt = performance.now();
          onEvent({ kind: 'sending' });
        },
        onResponseStart(_controller, status, received): void {
          if (status < 200 || finished) return;
          onEvent({ kind: 'http', viaEditor: false, status, duration: performance.now() - sentAt });
          const limit = bodyLimit(method, status);
          const headers = headersOf(received);
          const body = new BodyReader(limit.bytes, encodingIn(headers['content-encoding']));
          answer = { status, headers, body };
          if (body.full) giveUp('capped');
          else if (limit.ms !== undefined) slowBody = setTimeout(stop, limit.ms);
        },
        onResponseData(_controller, chunk): void {
          if (finished || !answer) return;
          answer.body.take(chunk);
          if (answer.body.full) giveUp('capped');
        },
        onResponseEnd(): void {
          finish(answer && !isFramed(answer.headers) ? 'closed' : 'complete', { kind: 'lost', code: 'UNKNOWN' });
        },
        onResponseError(_controller, error): void {
          finish('cut', controller ? { kind: 'lost', code: codeOf(error) } : unreachable(error, origin));
        },
      },
    );
  });
}

type Headers = Readonly<Record<string, string | undefined>>;

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(received)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

/** Whether the end of the body can be told from the end of the connection. */
export function isFramed(headers: Headers): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** No connection was made. */
export function unreachable(error: unknown, origin: string): Extract<WireResult, { kind: 'unreachable' }> {
  const { facts } = error instanceof ConnectError ? error : connectError(error, peerOf(new URL(origin)));
  return { kind: 'unreachable', cause: facts };
}

/** `accept-encoding` of every request. Set by us, since undici would count compressed bytes only. */
export const acceptedEncodings = 'gzip, deflate, br';

/** The encoding that a `content-encoding` names, if it is one of those: no real server uses several. */
function encodingIn(header = ''): string | undefined {
  return /\b(?:gzip|deflate|br)\b/i.exec(header)?.[0].toLowerCase();
}

/**
 * Takes a body piece by piece, to at most `limit` bytes, and decodes it at its end, to as many: neither an endless body nor a bomb
 * is read further than that. Bytes that are not what their encoding says stay as they are, and the reader finds out what they are.
 */
export class BodyReader {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  /** No more is read. */
  full: boolean;

  constructor(
    private readonly limit: number,
    private readonly encoding?: string,
  ) {
    this.full = limit === 0;
  }

  take(chunk: Uint8Array): void {
    const part = chunk.subarray(0, this.limit - this.length);
    this.chunks.push(part);
    this.length += part.length;
    this.full ||= part.length < chunk.length;
  }

  /** What has come, once it is decoded. `end`: how the transfer ended. */
  async finish(end: BodyEnd): Promise<{ body: Uint8Array; end: BodyEnd }> {
    const raw = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    if (!this.encoding || raw.length === 0) return { body: raw, end };
    const decoded = new BodyReader(this.limit);
    const code = await decode(raw, this.encoding, decoded);
    const body = Buffer.concat(decoded.chunks);
    // Bytes that end too early are what their encoding says, as far as they go.
    if (code !== undefined && code !== 'Z_BUF_ERROR' && body.length === 0) return { body: raw, end };
    if (decoded.full) return { body, end: 'capped' };
    return { body, end: code !== undefined && (end === 'complete' || end === 'closed') ? 'cut' : end };
  }
}

/** Returns the code of what ended it too early. */
async function decode(bytes: Uint8Array, encoding: string, decoded: BodyReader): Promise<string | undefined> {
  const decoder = decoderFor(encoding, bytes);
  decoder.end(bytes);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      decoded.take(chunk);
      if (decoded.full) break;
    }
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function decoderFor(encoding: string, [firstByte = 0]: Uint8Array): Transform {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  // "deflate" means zlib's format, but some servers leave its header out.
  return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
}
