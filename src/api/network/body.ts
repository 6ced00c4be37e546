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

/** Nobody uses more than one, one inside the other, in earnest. */
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

/** A chain of decoders at work. */
class Decoding {
  /** Resolves when nothing more will come: with the code of what ended it too early, if something did. */
  readonly done: Promise<string | undefined>;
  private readonly chain: Transform[];

  /** `firstByte`: of the encoded body. `take` gets what is decoded, as it comes. */
  constructor(encodings: readonly Encoding[], firstByte: number, take: (chunk: Buffer) => void) {
    this.chain = encodings.map((encoding, at) => decoder(encoding, at === 0 ? firstByte : undefined));
    const last = this.chain.reduce((from, to) => from.pipe(to));
    this.done = new Promise((resolve) => {
      for (const stream of this.chain) stream.on('error', (error) => resolve(codeOf(error)));
      last
        .on('data', take)
        .on('end', () => resolve(undefined))
        .on('close', () => resolve('CLOSED'));
    });
  }

  /** No waiting for a drain: whoever writes has a limit of his own. */
  write(chunk: Uint8Array): void {
    this.chain[0]?.write(chunk);
  }

  end(): void {
    this.chain[0]?.end();
  }

  destroy(): void {
    for (const stream of this.chain) stream.destroy();
  }
}

function decoder(encoding: Encoding, firstByte: number | undefined): Transform {
  switch (encoding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    default:
      // "deflate" means zlib's format, but some servers leave its header out.
      return firstByte === undefined || (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw();
  }
}

/**
 * Takes a body piece by piece and decodes it as it comes, to at most `limit` bytes: neither an endless body nor a bomb is
 * read further than that. Bytes that are not what their encoding says stay as they are: what they are instead is for
 * the reader to find out.
 */
export class BodyReader {
  private readonly raw: Chunks;
  private readonly decoded: Chunks;
  private decoding: Decoding | undefined;

  /** `onFull`: more has come than `limit`. */
  constructor(
    private readonly encodings: readonly Encoding[],
    limit: number,
    private readonly onFull: () => void,
  ) {
    this.raw = new Chunks(limit);
    this.decoded = new Chunks(limit);
  }

  /** More has come than the limit. */
  get full(): boolean {
    return this.raw.full || this.decoded.full;
  }

  take(chunk: Uint8Array): void {
    const [firstByte] = chunk;
    if (firstByte === undefined || this.full) return;
    this.raw.add(chunk);
    if (this.encodings.length > 0) {
      this.decoding ??= new Decoding(this.encodings, firstByte, (decoded) => {
        this.decoded.add(decoded);
        this.checkFull();
      });
      this.decoding.write(this.raw.last);
    }
    this.checkFull();
  }

  /** What has come, once it is decoded. `end`: how the transfer ended. */
  async finish(end: BodyEnd): Promise<{ body: Uint8Array; end: BodyEnd }> {
    if (!this.decoding) return { body: this.raw.all, end };
    this.decoding.end();
    const code = await this.decoding.done;
    this.decoding.destroy();
    const early = code === 'Z_BUF_ERROR' || code === 'CLOSED';
    if (code !== undefined && !early && this.decoded.empty) return { body: this.raw.all, end };
    const whole = end === 'complete' || end === 'closed';
    return { body: this.decoded.all, end: this.decoded.full ? 'capped' : whole && code !== undefined ? 'cut' : end };
  }

  private checkFull(): void {
    if (this.full) {
      this.decoding?.destroy();
      this.onFull();
    }
  }
}

/** Chunks, up to a limit. */
class Chunks {
  private readonly list: Buffer[] = [];
  private room: number;
  full = false;

  constructor(limit: number) {
    this.room = limit;
  }

  add(chunk: Uint8Array): void {
    const part = kept(chunk.subarray(0, this.room));
    this.list.push(part);
    this.room -= part.length;
    this.full ||= part.length < chunk.length;
  }

  get last(): Buffer {
    return this.list.at(-1) ?? Buffer.alloc(0);
  }

  get empty(): boolean {
    return this.list.length === 0;
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
