/** An id as a whole token in a text, from `start` up to `end`. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds many ids in a text. Where an id stands, its core is a whole run of token characters of the text too, and covers one of any
 * k neighbouring places (k: the shortest core). So it is enough to look at every k-th character, widen to the run and look that
 * up in a map: the time hardly depends on the number of ids.
 */
export class ReferenceIndex {
  readonly ids: ReadonlySet<string>;
  /** Ids by their core, the longest run of token characters in each. */
  private readonly cores = new Map<string, string[]>();
  private readonly coreLengths: ReadonlySet<number>;
  private readonly shortest: number;
  /** Ids without any token character. */
  private readonly plain: string[] = [];
  private readonly tokens = new TokenCharacters();

  /** An id with a line break can't stand in a line, and one with half a character can't be requested, so neither is looked for. */
  constructor(ids: Iterable<string>) {
    this.ids = new Set(ids);
    for (const id of this.ids) {
      const core = coreOf(id);
      if (id === '' || (core !== id && /[\r\n]|\p{Surrogate}/u.test(id))) continue;
      const same = this.cores.get(core);
      if (core === '') this.plain.push(id);
      else if (same) same.push(id);
      else this.cores.set(core, [id]);
    }
    this.coreLengths = new Set(Array.from(this.cores.keys(), (core) => core.length));
    this.shortest = Math.min(...this.coreLengths);
  }

  /** In the order of the text. */
  scan(text: string): readonly Reference[] {
    const { cores, coreLengths, shortest, tokens } = this;
    const found: Reference[] = [];
    for (let at = shortest - 1; at < text.length; at += shortest) {
      if (!tokens.has(text, at)) continue;
      let start = at;
      while (start > 0 && tokens.has(text, start - 1)) start--;
      while (++at < text.length && tokens.has(text, at));
      // Most runs have a length that no core has, and making a string of them costs more than everything else.
      if (!coreLengths.has(at - start)) continue;
      const core = text.slice(start, at);
      for (const id of cores.get(core) ?? []) this.take(id, text, start - id.indexOf(core), found);
    }
    for (const id of this.plain) {
      for (let start = text.indexOf(id); start >= 0; start = text.indexOf(id, start + 1))
        this.take(id, text, start, found);
    }
    return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }

  /** Adds the id if it stands there and borders on no token character. */
  private take(id: string, text: string, start: number, found: Reference[]): void {
    const end = start + id.length;
    if (!text.startsWith(id, start) || start < 0) return;
    if (start > 0 && this.tokens.has(text, start - 1)) return;
    if (end < text.length && this.tokens.has(text, end)) return;
    found.push({ id, start, end });
  }
}

/** Of several runs of one length the first. */
function coreOf(id: string): string {
  const runs = id.match(/[\p{L}\p{N}\p{M}_-]+/gu) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

const tokenCharacter = /^[\p{L}\p{N}\p{M}_-]/u;

/** Which characters a token is made of. A scan asks this a million times, so each UTF-16 unit is judged once. */
class TokenCharacters {
  private readonly judged = new Uint8Array(0x10000);

  /** Whether the unit at `at`, a place in the text, belongs to a token character; both halves of a surrogate pair do. */
  has(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    return (this.judged[unit] || this.judge(text, at, unit)) === 1;
  }

  private judge(text: string, at: number, unit: number): number {
    if (unit >= 0xd800 && unit <= 0xdfff) {
      // A pair is judged as a whole each time; half of one is no character.
      const start = unit >= 0xdc00 ? at - 1 : at;
      const isPair = (text.codePointAt(start) ?? 0) > 0xffff;
      return isPair && tokenCharacter.test(text.slice(start, start + 2)) ? 1 : 2;
    }
    return (this.judged[unit] = tokenCharacter.test(String.fromCharCode(unit)) ? 1 : 2);
  }
}
