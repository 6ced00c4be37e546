import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { codeOf } from './code.js';

export type Encoding = 'gzip' | 'deflate' | 'br';

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
export class Decoding {
  /** Resolves when nothing more will come: with the code of what ended it too early, if something did. */
  readonly done: Promise<string | undefined>;
  readonly #chain: Transform[];

  /** `firstByte`: of the encoded body. `take` gets what is decoded, as it comes. */
  constructor(encodings: readonly Encoding[], firstByte: number, take: (chunk: Buffer) => void) {
    this.#chain = encodings.map((encoding, at) => decoder(encoding, at === 0 ? firstByte : undefined));
    const last = this.#chain.reduce((from, to) => from.pipe(to));
    this.done = new Promise((resolve) => {
      for (const stream of this.#chain) {
        stream.on('error', (error) => resolve(codeOf(error)));
      }
      last
        .on('data', take)
        .on('end', () => resolve(undefined))
        .on('close', () => resolve('CLOSED'));
    });
  }

  /** No waiting for a drain: whoever writes has a limit of his own. */
  write(chunk: Uint8Array): void {
    this.#chain[0]?.write(chunk);
  }

  end(): void {
    this.#chain[0]?.end();
  }

  destroy(): void {
    for (const stream of this.#chain) {
      stream.destroy();
    }
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
