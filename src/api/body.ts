import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { codeOf } from './network/code.js';
import type { BodyEnd } from './network/connector.js';

/** Bytes of a decoded answer; more is `tooLarge`. */
export const largestBody = 4 * 1024 * 1024;
/** Bytes of a refusal: more than a person will ever see of it. */
export const enoughForExcerpt = 64 * 1024;

export interface Body {
  readonly bytes: Uint8Array;
  readonly end: BodyEnd;
}

type Encoding = 'gzip' | 'deflate' | 'br';

/** `accept-encoding` of every request. Set by us, since undici counts compressed bytes only. */
export const acceptedEncodings = 'gzip, deflate, br';

/**
 * Undoes the content encodings, last first, to at most `limit` bytes (`capped` then, with nothing in it). Bytes that are
 * not what the header says stay as they are: what they are instead is for the reader to find out.
 */
export async function decodeBody(body: Body, encodings: string | undefined, limit: number): Promise<Body> {
  const names = (encodings ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace('x-gzip', 'gzip'));
  let decoded = body;
  // Nobody encodes more than twice in earnest.
  for (const name of names.slice(-3).toReversed()) {
    if (decoded.bytes.length > 0 && (name === 'gzip' || name === 'deflate' || name === 'br')) {
      decoded = await decodeOnce(decoded, name, limit);
    }
  }
  return decoded;
}

async function decodeOnce(body: Body, encoding: Encoding, limit: number): Promise<Body> {
  try {
    return { bytes: await inflateTo(body.bytes, encoding, limit, false), end: body.end };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') {
      return { bytes: new Uint8Array(), end: 'capped' };
    }
    if (code !== 'Z_BUF_ERROR') {
      return body;
    }
  }
  // The end is missing: what is there may still tell what it was.
  const bytes = await inflateTo(body.bytes, encoding, limit, true).catch(() => new Uint8Array());
  return { bytes, end: body.end === 'complete' || body.end === 'closed' ? 'cut' : body.end };
}

function inflateTo(bytes: Uint8Array, encoding: Encoding, limit: number, partial: boolean): Promise<Uint8Array> {
  const options: ZlibOptions = { maxOutputLength: limit };
  if (encoding === 'br') {
    const flush = partial ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {};
    return promisify<Uint8Array, ZlibOptions, Buffer>(brotliDecompress)(bytes, { ...options, ...flush });
  }
  // "deflate" means zlib's format, but some servers leave its header out.
  const decode = encoding === 'gzip' ? gunzip : ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw;
  const flush = partial ? { finishFlush: constants.Z_SYNC_FLUSH } : {};
  return promisify<Uint8Array, ZlibOptions, Buffer>(decode)(bytes, { ...options, ...flush });
}
