import { createTokenTable, isTokenAt, type TokenTable } from './tokenCharacters.js';

/** An id as a whole token in a text, from `start` up to `end`. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

interface Entry {
  readonly id: string;
  /** Where the core begins in the id. */
  readonly offset: number;
}

/** Cores shorter than this would make the scan look at almost every character: they get a pass of their own. */
const shortCore = 4;

/**
 * Finds many ids in a text. Of each id the longest run of token characters is its core; where the id stands, its core is a
 * whole run of the text too. So it is enough to look at every k-th character (k: the shortest core), widen to the run
 * and look that up: the time depends neither on the number of ids nor, much, on what else the text holds.
 */
export class ReferenceIndex {
  readonly ids: ReadonlySet<string>;
  private readonly table = createTokenTable();
  private readonly passes: readonly Pass[];

  /** An id with a line break can't stand in a line, one with half a character can't be asked for: both are none. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
    const long = new Map<string, Entry[]>();
    const short = new Map<string, Entry[]>();
    const coreless: string[] = [];
    for (const id of this.ids) {
      if (id === '' || /[\r\n]|\p{Surrogate}/u.test(id)) continue;
      const { core, offset } = coreOf(id);
      if (core === '') {
        coreless.push(id);
        continue;
      }
      const cores = core.length < shortCore ? short : long;
      const entries = cores.get(core);
      if (entries === undefined) cores.set(core, [{ id, offset }]);
      else entries.push({ id, offset });
    }
    const passes: Pass[] = [];
    if (long.size > 0) passes.push(new SkipScan(long, this.table));
    if (short.size > 0) passes.push(new SkipScan(short, this.table));
    for (const id of coreless) passes.push(new PlainSearch(id, this.table));
    this.passes = passes;
  }

  /** All of a text at once, in the order of the text. */
  scan(text: string): readonly Reference[] {
    const found: Reference[] = [];
    for (const pass of this.passes) pass.run(text, 0, text.length, found);
    return this.inOrder(found);
  }

  /** The same in slices. */
  start(text: string): ReferenceScan {
    return new ReferenceScan(text, this.passes, (found) => this.inOrder(found));
  }

  private inOrder(found: readonly Reference[]): readonly Reference[] {
    if (found.length < 2 || (this.passes.length === 1 && this.passes[0]?.isOrdered === true)) return found;
    return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }
}

/** A scan under way. */
export class ReferenceScan {
  private readonly found: Reference[] = [];
  private pass = 0;
  private position = 0;

  constructor(
    private readonly text: string,
    private readonly passes: readonly Pass[],
    private readonly inOrder: (found: readonly Reference[]) => readonly Reference[],
  ) {}

  /** Goes on for about so many characters. The references, once all is scanned. */
  step(characters: number): readonly Reference[] | undefined {
    const pass = this.passes[this.pass];
    if (pass !== undefined) {
      this.position = pass.run(this.text, this.position, this.position + characters, this.found);
      if (this.position < this.text.length) return undefined;
      this.pass++;
      this.position = 0;
    }
    return this.pass < this.passes.length ? undefined : this.inOrder(this.found);
  }
}

interface Pass {
  /** Finds in the order of the text. */
  readonly isOrdered: boolean;
  /** From `from`, a position that an earlier call returned or 0, at least up to `to`: where to go on. */
  run(text: string, from: number, to: number, found: Reference[]): number;
}

class SkipScan implements Pass {
  readonly isOrdered: boolean;
  private readonly step: number;
  /** Runs that are no core are sorted out by length and a few characters, before a string is made of them. */
  private readonly lengths: Uint8Array;
  private readonly sieve = new Uint8Array(0x10000);

  constructor(
    private readonly cores: ReadonlyMap<string, readonly Entry[]>,
    private readonly table: TokenTable,
  ) {
    let shortest = Infinity;
    let longest = 0;
    for (const core of cores.keys()) {
      shortest = Math.min(shortest, core.length);
      longest = Math.max(longest, core.length);
    }
    this.step = shortest;
    this.lengths = new Uint8Array(longest + 1);
    let isOrdered = true;
    for (const [core, entries] of cores) {
      this.lengths[core.length] = 1;
      this.sieve[sieveIndex(core, 0, core.length)] = 1;
      // Several ids on one core, or one that begins before it, can come out of order.
      if (entries.length > 1 || entries[0]?.offset !== 0) isOrdered = false;
    }
    this.isOrdered = isOrdered;
  }

  run(text: string, from: number, to: number, found: Reference[]): number {
    const { step, table, lengths, sieve } = this;
    // A run of at least `step` that begins behind what was looked at covers the position `step` further on.
    let at = from === 0 ? step - 1 : from;
    const { length } = text;
    const limit = Math.min(to, length);
    while (at < limit) {
      if (!isTokenAt(table, text, at)) {
        at += step;
        continue;
      }
      let start = at;
      while (start > 0 && isTokenAt(table, text, start - 1)) start--;
      let end = at + 1;
      while (end < length && isTokenAt(table, text, end)) end++;
      if (lengths[end - start] === 1 && sieve[sieveIndex(text, start, end)] === 1) {
        this.lookUp(text, start, end, found);
      }
      at = end + step;
    }
    return at;
  }

  private lookUp(text: string, start: number, end: number, found: Reference[]): void {
    const entries = this.cores.get(text.slice(start, end));
    if (entries === undefined) return;
    for (const { id, offset } of entries) {
      const idStart = start - offset;
      if (id.length === end - start || isWholeAt(this.table, text, id, idStart)) {
        found.push({ id, start: idStart, end: idStart + id.length });
      }
    }
  }
}

/** For an id without any token character. */
class PlainSearch implements Pass {
  readonly isOrdered = true;

  constructor(
    private readonly id: string,
    private readonly table: TokenTable,
  ) {}

  run(text: string, from: number, _to: number, found: Reference[]): number {
    for (let start = text.indexOf(this.id, from); start >= 0; start = text.indexOf(this.id, start + 1)) {
      if (isWholeAt(this.table, text, this.id, start)) found.push({ id: this.id, start, end: start + this.id.length });
    }
    return text.length;
  }
}

function isWholeAt(table: TokenTable, text: string, id: string, start: number): boolean {
  if (start < 0 || !text.startsWith(id, start)) return false;
  const end = start + id.length;
  return (start === 0 || !isTokenAt(table, text, start - 1)) && (end === text.length || !isTokenAt(table, text, end));
}

function coreOf(id: string): { readonly core: string; readonly offset: number } {
  // Almost every id, without making anything.
  if (/^[\w-]+$/.test(id)) return { core: id, offset: 0 };
  let core = '';
  let offset = 0;
  for (const match of id.matchAll(/[\p{L}\p{N}\p{M}_-]+/gu)) {
    if (match[0].length <= core.length) continue;
    core = match[0];
    offset = match.index;
  }
  return { core, offset };
}

/** From the end, where ids of one kind differ. */
function sieveIndex(text: string, start: number, end: number): number {
  let hash = end - start;
  for (let at = end - 1; at >= start && at >= end - 4; at--) hash = (hash * 31 + text.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 16)) & 0xffff;
}
