import { maxIdChars } from '../entered/enteredIds.js';
import { IdAutomaton, type Stretch } from './idAutomaton.js';
import { type Reference, tokenCharacters } from './reference.js';

const runs = new RegExp(`[${tokenCharacters}]+`, 'gu');

/**
 * Holds the ids that count as references, and finds them in a text. `ReferenceTargets` adds and
 * deletes the ids; documents are scanned with it.
 *
 * The core of an id is its longest run of token characters. Where the id stands, its core is a
 * whole run of the text, too, so each run of the text is looked up in a map. Most ids are their
 * core; for the others an automaton reads what surrounds the cores that were found.
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
  /** At least the length of the longest id that is more than its core. */
  private maxComposedChars = 0;
  /** Of the ids that are more than their core; made when a text has one of their cores. */
  private automaton: IdAutomaton | undefined;

  get ids(): ReadonlySet<string> {
    return this.known;
  }

  /** Leaves out an id that can't be requested, can't stand in a line, or has no token character. */
  add(id: string): void {
    if (this.known.has(id) || id.length > maxIdChars || /[\r\n]|\p{Surrogate}/u.test(id)) return;
    const core = coreOf(id);
    if (core === '') return;
    this.known.add(id);
    this.version++;
    this.minCoreChars = Math.min(this.minCoreChars, Array.from(core).length);
    this.cores.set(core, (this.cores.get(core) ?? new Set()).add(id));
    if (id === core) return;
    this.maxComposedChars = Math.max(this.maxComposedChars, id.length);
    this.automaton = undefined;
  }

  delete(id: string): void {
    if (!this.known.delete(id)) return;
    this.version++;
    const core = coreOf(id);
    const same = this.cores.get(core);
    same?.delete(id);
    if (same?.size === 0) this.cores.delete(core);
    if (id !== core) this.automaton = undefined;
  }

  /** Of references that overlap only the longest, of equally long ones the first. In order. */
  scan(text: string): readonly Reference[] {
    const plain: Reference[] = [];
    const stretches: Stretch[] = [];
    // Most runs of a text are short, and skipping them is faster than looking them up.
    const longRuns = new RegExp(`[${tokenCharacters}]{${this.minCoreChars},}`, 'gu');
    for (const { 0: core, index: start } of text.matchAll(longRuns)) {
      const ids = this.cores.get(core);
      if (!ids) continue;
      const end = start + core.length;
      const isPlain = ids.has(core);
      if (isPlain) plain.push({ id: core, start, end });
      if (ids.size > (isPlain ? 1 : 0)) this.widen(stretches, start, end);
    }
    if (stretches.length === 0) return plain;
    this.automaton ??= new IdAutomaton(this.composed());
    return merged(plain, this.automaton.scan(text, stretches));
  }

  /**
   * The reference that a place in a line is in or touches, the longer of two. Reads only what
   * surrounds the place, however long the line is.
   */
  at(line: string, character: number): Reference | undefined {
    // Within that reach stand also those that overlap it. A false border at the cut is farther away.
    const reach = 2 * maxIdChars + 2;
    const from = Math.max(0, character - reach);
    const [longest] = this.scan(line.slice(from, character + reach))
      .map(({ id, start, end }) => ({ id, start: start + from, end: end + from }))
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.id.length - a.id.length);
    return longest;
  }

  /** By as much as an id can surround a core. */
  private widen(stretches: Stretch[], start: number, end: number): void {
    const from = Math.max(0, start - this.maxComposedChars);
    const to = end + this.maxComposedChars;
    const last = stretches.at(-1);
    if (last && from <= last.to) stretches[stretches.length - 1] = { from: last.from, to };
    else stretches.push({ from, to });
  }

  private composed(): readonly string[] {
    return [...this.cores].flatMap(([core, ids]) => [...ids].filter((id) => id !== core));
  }
}

/** In order, without the plain ids that stand in a composed one. */
function merged(plain: readonly Reference[], composed: readonly Reference[]): readonly Reference[] {
  const inOrder = [...plain, ...composed].toSorted((a, b) => a.start - b.start || b.end - a.end);
  let end = 0;
  return inOrder.filter((one) => {
    if (one.start < end) return false;
    end = one.end;
    return true;
  });
}

/** Of several runs of one length the first. */
function coreOf(id: string): string {
  const found = id.match(runs) ?? [];
  return found.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
