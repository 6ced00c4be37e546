import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { codeOf, isInvalidHttpInBody } from './errorCodes.js';

type Method = 'GET' | 'DELETE';

/** Names are in lower case. Several headers of one name are joined with commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

const maxAnswerBytes = 4 * 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/**
 * How many bytes of an answer's body are read, and how many are decoded. A redirect's body is not.
 */
export function maxBodyBytes(method: Method, status: number): number {
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect) return 0;
  return method === 'GET' && status < 300 ? maxAnswerBytes : maxRefusalBytes;
}

/**
 * How long to wait for the body of an answer, in ms; `undefined`: as long as the request lasts. The
 * body of a successful revocation only shows whether it is a web page.
 */
export function maxBodyMs(method: Method, status: number): number | undefined {
  const isRevoked = method !== 'GET' && status < 300;
  return isRevoked ? 1000 : undefined;
}

/** How much of a body has come. */
export interface BodyEnd {
  /**
   * `complete`: all of it, by its length or chunks. `unclear`: only the text shows whether it is
   * whole. `cut`: the connection, an error, or this extension ended it early. `capped`: it is
   * longer than `maxBodyBytes`.
   */
  readonly end: 'complete' | 'unclear' | 'cut' | 'capped';
  /** The code of the error that cut the body, if the body breaks the rules of HTTP. */
  readonly invalidHttpCode?: string;
}

/** How a body ended. `error`: the error that ended it, if one did. */
export function endOfBody(headers: Headers, error?: unknown): BodyEnd {
  if (error !== undefined) {
    const code = codeOf(error);
    return isInvalidHttpInBody(code) ? { end: 'cut', invalidHttpCode: code } : { end: 'cut' };
  }
  // The decoders accept a missing end (`lenient`), so what they return may be cut.
  if (headers['content-encoding'] !== undefined) return { end: 'unclear' };
  return { end: hasReliableFraming(headers) ? 'complete' : 'unclear' };
}

/**
 * Whether a length or chunks show where a body ends. Otherwise it ends when the connection closes,
 * and nothing shows whether it is whole.
 */
function hasReliableFraming(headers: Headers): boolean {
  const isChunked = /\bchunked\s*$/i.test(headers['transfer-encoding'] ?? '');
  if (!isChunked) return headers['content-length'] !== undefined;
  // With `Connection: close`, the `fetch` of Node 20 takes chunks that end early for whole.
  const closesConnection = /\bclose\b/i.test(headers['connection'] ?? '');
  return !closesConnection;
}

/** Collects the first `maxBytes` bytes of a body. The caller stops when it is full. */
export class BodyReader {
  private readonly chunks: Uint8Array[] = [];
  private byteCount = 0;
  /** Whether more bytes came than it keeps, or it keeps none. */
  isFull: boolean;

  constructor(private readonly maxBytes: number) {
    this.isFull = maxBytes === 0;
  }

  get bytes(): Uint8Array {
    return this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
  }

  take(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.maxBytes - this.byteCount);
    this.chunks.push(kept);
    this.byteCount += kept.length;
    if (kept.length < chunk.length) this.isFull = true;
  }
}

/** `fetch` accepts as many content codings. */
const maxCodings = 5;

/** As in undici's `fetch`, a missing end is no error. */
const lenient = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const lenientBrotli = { finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** Makes a decoder for these encoded bytes. */
type NewDecoder = (encoded: Uint8Array) => Transform;

/** By content coding. */
const newDecoders = new Map<string, NewDecoder>([
  ['gzip', () => zlib.createGunzip(lenient)],
  ['x-gzip', () => zlib.createGunzip(lenient)],
  ['deflate', newInflate],
  ['br', () => zlib.createBrotliDecompress(lenientBrotli)],
]);

/** Some servers send `deflate` without the header of zlib. */
function newInflate(encoded: Uint8Array): Transform {
  const hasZlibHeader = (encoded[0]! & 0x0f) === 0x08;
  return hasZlibHeader ? zlib.createInflate(lenient) : zlib.createInflateRaw(lenient);
}

/**
 * Decodes a body to at most `maxBytes` bytes. Although the request asks for gzip alone, undoes all
 * codings that the answer names, the last one first, like `fetch`; none of them if one is unknown.
 * A text that was never encoded, whatever its header says, stays as it is.
 */
export async function decodeBody(
  encoded: Uint8Array,
  headers: Headers,
  maxBytes: number,
  readEnd: BodyEnd,
): Promise<BodyEnd & { readonly body: Uint8Array }> {
  let body = encoded;
  let end = readEnd;
  for (const newDecoder of decodersFor(headers)) {
    if (body.length === 0) break;
    const decoded = new BodyReader(maxBytes);
    const error = await decode(body, newDecoder(body), decoded);
    const wasNeverEncoded = error !== undefined && decoded.bytes.length === 0 && isText(body);
    if (wasNeverEncoded) break;
    body = decoded.bytes;
    if (decoded.isFull) end = { end: 'capped' };
    else if (error !== undefined && end.end === 'unclear') end = endOfBody(headers, error);
  }
  return { body, ...end };
}

/** In the order of decoding. Empty if the answer names too many codings or an unknown one. */
function decodersFor(headers: Headers): readonly NewDecoder[] {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',').toReversed();
  if (codings.length > maxCodings) return [];
  const decoders: NewDecoder[] = [];
  for (const coding of codings) {
    const newDecoder = newDecoders.get(coding.trim());
    if (newDecoder === undefined) return [];
    decoders.push(newDecoder);
  }
  return decoders;
}

/** Feeds `decoded` until it is full. Returns the error that ended the decoding, if one did. */
async function decode(
  encoded: Uint8Array,
  decoder: Transform,
  decoded: BodyReader,
): Promise<unknown> {
  try {
    for await (const chunk of decoder.end(encoded) as AsyncIterable<Buffer>) {
      decoded.take(chunk);
      if (decoded.isFull) break;
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Whether these bytes begin like JSON or a web page, perhaps after the byte order mark of UTF-8.
 */
function isText(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 64)).toString('latin1');
  return /^(?:\xef\xbb\xbf)?\s*[{[<]/.test(start);
}
