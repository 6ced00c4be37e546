/** An id as a whole token in a text, from `start` up to `end`, in UTF-16 units as everywhere in VS Code. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

const tokens = /[\p{L}\p{N}\p{M}_-]+/gu;
const endsInToken = /[\p{L}\p{N}\p{M}_-]$/u;
const beginsWithToken = /^[\p{L}\p{N}\p{M}_-]/u;

/**
 * Finds many ids in a text. The core of an id is its longest run of token characters. Where the id stands, its core is a whole run of
 * the text too, so each run of the text is looked up in a map, and only then the whole id and its borders are compared.
 */
export class ReferenceIndex {
  /** Changes whenever an id comes or goes. */
  version = 0;
  private readonly known = new Set<string>();
  private readonly cores = new Map<string, Set<string>>();
  /**
   * No core has fewer characters, of which a surrogate pair is one. At most 8, because in each shorter run the expression begins anew at
   * each character.
   */
  private minCoreChars = 8;

  get ids(): ReadonlySet<string> {
    return this.known;
  }

  /** An id with a line break can't stand in a line, and one with half a character can't be requested, so neither is ever found. */
  add(id: string): void {
    if (this.known.has(id) || id === '' || /[\r\n]|\p{Surrogate}/u.test(id)) return;
    this.known.add(id);
    this.version++;
    const core = coreOf(id);
    if (core !== '') this.minCoreChars = Math.min(this.minCoreChars, Array.from(core).length);
    this.cores.set(core, (this.cores.get(core) ?? new Set()).add(id));
  }

  delete(id: string): void {
    if (!this.known.delete(id)) return;
    this.version++;
    const core = coreOf(id);
    const same = this.cores.get(core);
    same?.delete(id);
    if (same?.size === 0) this.cores.delete(core);
  }

  scan(text: string): readonly Reference[] {
    const found: Reference[] = [];
    // Most runs of a text are short, and skipping them is faster than looking them up.
    const runs = new RegExp(`[\\p{L}\\p{N}\\p{M}_-]{${this.minCoreChars},}`, 'gu');
    for (const { 0: core, index } of text.matchAll(runs)) {
      for (const id of this.cores.get(core) ?? []) take(id, text, index - id.indexOf(core), found);
    }
    // Ids without any token character have the empty core.
    for (const id of this.cores.get('') ?? []) {
      for (let start = text.indexOf(id); start >= 0; start = text.indexOf(id, start + 1)) take(id, text, start, found);
    }
    return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
  }

  /** What stands at a place in a line. Two ids can, if one holds the other: the longer comes first. */
  at(line: string, character: number): readonly Reference[] {
    return this.scan(line)
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }
}

function take(id: string, text: string, start: number, found: Reference[]): void {
  const end = start + id.length;
  if (!text.startsWith(id, start)) return;
  // Two units, because a token character can be a surrogate pair.
  const bordersOnToken =
    endsInToken.test(text.slice(Math.max(0, start - 2), start)) || beginsWithToken.test(text.slice(end, end + 2));
  if (!bordersOnToken) found.push({ id, start, end });
}

/** Of several runs of one length the first. */
function coreOf(id: string): string {
  const runs = id.match(tokens) ?? [];
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
