import type { CoreTable } from './coreTable.js';
import type { Reference, ReferencePass } from './reference.js';
import { isTokenAt } from './tokenCharacters.js';

const gram = 4;

/**
 * For longer cores. Of k characters (k: the shortest core) every group of four is noted in a bit set; in the text one such
 * group is looked at every k - 3 places, which no core can slip through. Almost all of them are unknown, and a
 * branch that almost always goes one way costs next to nothing: with k = 8 it takes two thirds of the time of widening to
 * every word, with k = 12 less than half.
 */
export class GramScan implements ReferencePass {
  readonly isOrdered: boolean;
  private readonly stride: number;
  private readonly shift: number;
  private readonly known: Uint32Array;

  constructor(private readonly table: CoreTable) {
    this.isOrdered = table.isOrdered;
    this.stride = table.shortest - gram + 1;
    // 64 bits for each group, so that few of a text's groups meet one by chance.
    const bits = Math.min(22, Math.max(10, Math.ceil(Math.log2(table.cores.size * this.stride)) + 6));
    this.shift = 32 - bits;
    this.known = new Uint32Array(2 ** (bits - 5));
    for (const core of table.cores.keys()) {
      for (let at = 0; at < this.stride; at++) {
        const hash = hashAt(core, at) >>> this.shift;
        this.known[hash >>> 5] = (this.known[hash >>> 5] ?? 0) | (1 << hash);
      }
    }
  }

  run(text: string, from: number, to: number, found: Reference[]): number {
    const { table, stride, shift, known } = this;
    let at = from === 0 ? stride - 1 : from;
    const last = text.length - gram;
    const limit = Math.min(to, last + 1);
    while (at < limit) {
      const hash = hashAt(text, at) >>> shift;
      let seen = at;
      if (((known[hash >>> 5] ?? 0) & (1 << hash)) !== 0 && isTokenAt(table.tokens, text, at)) {
        seen = table.lookUpAround(text, at, found);
      }
      at = seen + stride;
    }
    return at > last ? text.length : at;
  }
}

function hashAt(text: string, at: number): number {
  return Math.imul(
    text.charCodeAt(at) ^
      (text.charCodeAt(at + 1) << 8) ^
      (text.charCodeAt(at + 2) << 16) ^
      (text.charCodeAt(at + 3) << 24),
    0x9e3779b1,
  );
}
