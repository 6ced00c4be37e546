import type { Reference } from './reference.js';
import { isTokenAt, type TokenTable } from './tokenCharacters.js';

export interface CoreEntry {
  readonly id: string;
  /** Where the core begins in the id. */
  readonly offset: number;
}

/** Ids by their core: the longest run of token characters in them. */
export class CoreTable {
  readonly shortest: number;
  /** What is found from left to right is in order: no id begins before its core, none shares one. */
  readonly isOrdered: boolean;
  /** Runs that are no core are sorted out by length and a few characters, before a string is made of them. */
  private readonly lengths: Uint8Array;
  private readonly sieve = new Uint8Array(0x10000);

  constructor(
    /** An id that is its own core and shares it with no other, or all that have the core. */
    readonly cores: ReadonlyMap<string, readonly CoreEntry[] | string>,
    readonly tokens: TokenTable,
  ) {
    let shortest = Infinity;
    let longest = 0;
    let isOrdered = true;
    for (const [core, entries] of cores) {
      shortest = Math.min(shortest, core.length);
      longest = Math.max(longest, core.length);
      this.sieve[sieveIndex(core, 0, core.length)] = 1;
      if (typeof entries !== 'string' && (entries.length > 1 || entries[0]?.offset !== 0)) isOrdered = false;
    }
    this.shortest = shortest;
    this.isOrdered = isOrdered;
    this.lengths = new Uint8Array(longest + 1);
    for (const core of cores.keys()) this.lengths[core.length] = 1;
  }

  /** The run of token characters around `at`, one of them, is looked up. Where it ends. */
  lookUpAround(text: string, at: number, found: Reference[]): number {
    const { tokens } = this;
    const { length } = text;
    let start = at;
    while (start > 0 && isTokenAt(tokens, text, start - 1)) start--;
    let end = at + 1;
    while (end < length && isTokenAt(tokens, text, end)) end++;
    if (this.lengths[end - start] === 1 && this.sieve[sieveIndex(text, start, end)] === 1) {
      this.lookUp(text, start, end, found);
    }
    return end;
  }

  private lookUp(text: string, start: number, end: number, found: Reference[]): void {
    const entries = this.cores.get(text.slice(start, end));
    if (entries === undefined) return;
    if (typeof entries === 'string') {
      found.push({ id: entries, start, end });
      return;
    }
    for (const { id, offset } of entries) {
      const idStart = start - offset;
      if (id.length === end - start || isWholeAt(this.tokens, text, id, idStart)) {
        found.push({ id, start: idStart, end: idStart + id.length });
      }
    }
  }
}

/** Whether the id stands there and borders on no token character. */
export function isWholeAt(tokens: TokenTable, text: string, id: string, start: number): boolean {
  if (start < 0 || !text.startsWith(id, start)) return false;
  const end = start + id.length;
  return (start === 0 || !isTokenAt(tokens, text, start - 1)) && (end === text.length || !isTokenAt(tokens, text, end));
}

/** From the end, where ids of one kind differ. */
function sieveIndex(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = end - 1; at >= start && at >= end - 4; at--) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 16)) & 0xffff;
}
