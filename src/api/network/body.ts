import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { codeOf } from './errorCodes.js';

/**
 * Where a body ended. `complete`: where its framing says. `closed`: with the connection, for want of framing, so perhaps
 * too early. `cut`: before its framing says. `capped`: more came than wanted. `stopped`: out of patience, or the signal.
 */
export type BodyEnd = 'complete' | 'closed' | 'cut' | 'capped' | 'stopped';

type Encoding = 'gzip' | 'deflate' | 'br';

/** `accept-encoding` of every request. Set by us, since undici would count compressed bytes only. */
export const acceptedEncodings = 'gzip, deflate, br';

/** One inside the other; no real server uses more than one. */
const mostEncodings = 3;

/** The encodings that a `content-encoding` names, in the order in which they have to be undone; unknown ones are skipped. */
export function encodingsIn(header: string | undefined): readonly Encoding[] {
  return (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace('x-gzip', 'gzip'))
    .filter((name) => name === 'gzip' || name === 'deflate' || name === 'br')
    .slice(-mostEncodings)
    .toReversed();
}

/**
 * Takes a body piece by piece, to at most `limit` bytes, and decodes it at its end, to as many: neither an endless body nor a bomb
 * is read further than that. Bytes that are not what their encoding says stay as they are, and the reader finds out what they are.
 */
export class BodyReader {
  private readonly raw: Chunks;

  /** `onFull`: more has come than `limit`. */
  constructor(
    private readonly encodings: readonly Encoding[],
    private readonly limit: number,
    private readonly onFull: () => void,
  ) {
    this.raw = new Chunks(limit);
  }

  /** More has come than the limit. */
  get full(): boolean {
    return this.raw.full;
  }

  take(chunk: Uint8Array): void {
    if (this.full) return;
    this.raw.add(chunk);
    if (this.full) this.onFull();
  }

  /** What has come, once it is decoded. `end`: how the transfer ended. */
  async finish(end: BodyEnd): Promise<{ body: Uint8Array; end: BodyEnd }> {
    const raw = this.raw.all;
    if (raw.length === 0) return { body: raw, end };
    let body = raw;
    let decodedEnd = end;
    for (const encoding of this.encodings) {
      const { chunks, code } = await decode(body, encoding, this.limit);
      body = chunks.all;
      // Bytes that end too early are what their encoding says, as far as they go.
      if (code !== undefined && code !== 'Z_BUF_ERROR' && body.length === 0) return { body: raw, end };
      if (chunks.full) decodedEnd = 'capped';
      else if (code !== undefined && (decodedEnd === 'complete' || decodedEnd === 'closed')) decodedEnd = 'cut';
    }
    return { body, end: decodedEnd };
  }
}

/** `code`: of what ended it too early. */
async function decode(
  bytes: Buffer,
  encoding: Encoding,
  limit: number,
): Promise<{ readonly chunks: Chunks; readonly code?: string }> {
  const chunks = new Chunks(limit);
  const decoder = decoderFor(encoding, bytes);
  decoder.end(bytes);
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      chunks.add(chunk);
      if (chunks.full) break;
    }
    return { chunks };
  } catch (error) {
    return { chunks, code: codeOf(error) };
  }
}

function decoderFor(encoding: Encoding, [firstByte = 0]: Uint8Array): Transform {
  if (encoding === 'gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  // "deflate" means zlib's format, but some servers leave its header out.
  return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
}

/** Chunks, up to a limit. */
class Chunks {
  private readonly list: Buffer[] = [];
  full = false;

  constructor(private room: number) {}

  add(chunk: Uint8Array): void {
    const part = kept(chunk.subarray(0, this.room));
    this.list.push(part);
    this.room -= part.length;
    this.full ||= part.length < chunk.length;
  }

  get all(): Buffer {
    const [first] = this.list;
    return first !== undefined && this.list.length === 1 ? first : Buffer.concat(this.list);
  }
}

/** undici's chunks are views of what the socket read. A small one would keep all of that in memory as long as the body is read. */
function kept(chunk: Uint8Array): Buffer {
  const { buffer, byteOffset, length } = chunk;
  return buffer.byteLength > 4 * length ? Buffer.from(chunk) : Buffer.from(buffer, byteOffset, length);
}
