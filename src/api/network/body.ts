import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { bodyBreaksHttp, codeOf } from './errorCodes.js';

type Method = 'GET' | 'DELETE';

/** Names are in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

const maxAnswerBytes = 4 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/** How much of an answer's body is read. Nothing in that of a redirect counts. */
export function maxBodyBytes(method: Method, status: number): number {
  if (status >= 300 && status < 400) return 0;
  return method === 'GET' && status < 300 ? maxAnswerBytes : maxRefusalBytes;
}

/**
 * How long the body of an answer is waited for, in ms; `undefined`: as long as the request lasts. A
 * successful revocation needs no body: that only shows whether it is a web page.
 */
export function maxBodyMs(method: Method, status: number): number | undefined {
  return method === 'GET' || status >= 300 ? undefined : 1000;
}

/**
 * `unclear`: only its text tells whether it is whole. `cut`: before its framing says, also by us.
 * `capped`: more came than is read.
 */
export interface BodyEnd {
  readonly end: 'complete' | 'unclear' | 'cut' | 'capped';
  /** Of the error, where a body is cut because it breaks the rules of HTTP. */
  readonly brokenBy?: string;
}

/**
 * How a body ended that was read to its end. Without framing the end of the connection is its end; with
 * `Connection: close` that also ends chunks, for the `fetch` of Node 20; and a coding that lacks its
 * end mark is decoded all the same. `error`: that it ended with, if it did.
 */
export function endOfBody(headers: Headers, error?: unknown): BodyEnd {
  if (error !== undefined) {
    const code = codeOf(error);
    return { end: 'cut', ...(bodyBreaksHttp(code) && { brokenBy: code }) };
  }
  const isChunked = /\bchunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  const isClosed = /\bclose\b/i.test(headers['connection'] ?? '');
  const isFramed = isChunked ? !isClosed : headers['content-length'] !== undefined;
  return { end: isFramed && headers['content-encoding'] === undefined ? 'complete' : 'unclear' };
}

/** Takes at most `limit` bytes. */
export class BodyReader {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  /** Whether more came than it takes. */
  full: boolean;

  constructor(private readonly limit: number) {
    this.full = limit === 0;
  }

  get bytes(): Uint8Array {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }

  take(chunk: Uint8Array): void {
    const part = chunk.subarray(0, this.limit - this.length);
    this.chunks.push(part);
    this.length += part.length;
    this.full ||= part.length < chunk.length;
  }
}

/** As many as `fetch` takes. */
const maxCodings = 5;

/** undici's `fetch` decodes so, too: what lacks its end is no error. */
const lenient = { finishFlush: zlib.constants.Z_SYNC_FLUSH };

/** By coding, what decodes these bytes. */
const decoders = new Map<string, (bytes: Uint8Array) => Transform>([
  ['gzip', () => zlib.createGunzip(lenient)],
  ['x-gzip', () => zlib.createGunzip(lenient)],
  [
    'deflate',
    (bytes) =>
      hasZlibHeader(bytes) ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient),
  ],
  ['br', () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })],
]);

/** Some servers leave it out. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  return (bytes[0]! & 0x0f) === 0x08;
}

/**
 * Decodes to at most `limit` bytes, although the request asks for gzip alone: like `fetch`, all codings
 * that are named, the last one first, or none of them if one is unknown. A text stays as it is where
 * its header lies.
 */
export async function decodeBody(
  encoded: Uint8Array,
  headers: Headers,
  limit: number,
  readEnd: BodyEnd,
): Promise<BodyEnd & { readonly body: Uint8Array }> {
  let body = encoded;
  let end = readEnd;
  for (const decoder of decodersOf(headers)) {
    if (body.length === 0) break;
    const decoded = new BodyReader(limit);
    const error = await decode(body, decoder(body), decoded);
    if (error !== undefined && decoded.bytes.length === 0 && isText(body)) break;
    body = decoded.bytes;
    if (decoded.full) end = { end: 'capped' };
    else if (error !== undefined && end.end === 'unclear') end = endOfBody(headers, error);
  }
  return { body, ...end };
}

function decodersOf(headers: Headers) {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',').toReversed();
  if (codings.length > maxCodings) return [];
  const found = codings.map((coding) => decoders.get(coding.trim()));
  return found.every((decoder) => decoder !== undefined) ? found : [];
}

/** Returns the error that ended it, if one did. */
async function decode(
  bytes: Uint8Array,
  decoder: Transform,
  decoded: BodyReader,
): Promise<unknown> {
  try {
    for await (const chunk of decoder.end(bytes) as AsyncIterable<Buffer>) {
      decoded.take(chunk);
      if (decoded.full) break;
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Whether these bytes begin like JSON or a web page. */
function isText(bytes: Uint8Array): boolean {
  return /^(?:\xef\xbb\xbf)?\s*[{[<]/.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'));
}
