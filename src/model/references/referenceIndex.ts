import { maxIdChars } from '../entered/enteredIds.js';
import {
  hasUnspacedLetters,
  innerSpans,
  isBehindToken,
  partsOf,
  type Span,
  standsAlone,
  tokenCharacters,
} from './borders.js';
import { IdAutomaton, type Stretch } from './idAutomaton.js';
import type { Reference } from './reference.js';

const runs = new RegExp(`[${tokenCharacters}]+`, 'gu');

/** More than what can stand in a run before an id: the end of a code, or `_`. */
const maxBeforeId = 16;

/**
 * Holds the ids that count as references, and finds them in a text. `ReferenceTargets` adds and
 * deletes the ids; documents are scanned with it.
 *
 * The core of an id is the longest part of its runs of token characters. Where the id stands, its
 * core is a part of a run of the text, too, so each run of the text is looked up in a map. Most ids
 * are their core, and most cores a whole run; elsewhere an automaton reads what surrounds the core.
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
  /** At least the length of the longest id. */
  private maxChars = 0;
  /** Made when a text has a core that may be more or less than a whole run. */
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
    this.maxChars = Math.max(this.maxChars, id.length);
    this.automaton = undefined;
  }

  delete(id: string): void {
    if (!this.known.delete(id)) return;
    this.version++;
    const core = coreOf(id);
    const same = this.cores.get(core);
    same?.delete(id);
    if (same?.size === 0) this.cores.delete(core);
    this.automaton = undefined;
  }

  /**
   * Of references that overlap only the longest, of equally long ones the first. In order. What may
   * border on an id depends on the language of the text.
   */
  scan(text: string, languageId: string): readonly Reference[] {
    const plain: Reference[] = [];
    const stretches: Stretch[] = [];
    const canChangeScript = hasUnspacedLetters(text);
    // Most runs of a text are short, and skipping them is faster than looking them up.
    const longRuns = new RegExp(`[${tokenCharacters}]{${this.minCoreChars},}`, 'gu');
    for (const { 0: run, index: start } of text.matchAll(longRuns)) {
      const end = start + run.length;
      const spans = innerSpans(text, { start, end }, languageId, canChangeScript);
      if (spans.length === 0 && !this.cores.has(run)) continue;
      const found =
        spans.length > 0 ? this.plainIn(text, spans, languageId) : this.plainRun(run, start);
      if (found) plain.push(...found);
      else addStretch(stretches, this.stretchAround(text, start, end));
    }
    if (stretches.length === 0) return plain;
    this.automaton ??= new IdAutomaton(this.known);
    const found = this.automaton.scan(text, stretches, languageId);
    const all = [...outside(stretches, plain), ...found].toSorted((a, b) => a.start - b.start);
    // What an id behind a code ends with may be found behind the end of a stretch, too.
    return all.filter(({ start }, at) => start !== all[at - 1]?.start);
  }

  /**
   * The reference that a place in a line is in or touches, the longer of two. Reads only what
   * surrounds the place, however long the line is.
   */
  at(line: string, character: number, languageId: string): Reference | undefined {
    // Within that reach stand also those that overlap it. A false border at the cut is farther away.
    const reach = 2 * (maxIdChars + maxBeforeId);
    const from = Math.max(0, character - reach);
    const [longest] = this.scan(line.slice(from, character + reach), languageId)
      .map(({ id, start, end }) => ({ id, start: start + from, end: end + from }))
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.id.length - a.id.length);
    return longest;
  }

  /** `undefined`: the automaton is needed, as ids have that core that are more than it. */
  private plainRun(run: string, start: number): readonly Reference[] | undefined {
    const ids = this.cores.get(run)!;
    return ids.size === 1 && ids.has(run)
      ? [{ id: run, start, end: start + run.length }]
      : undefined;
  }

  /** `undefined`: the automaton is needed, as ids are more than a core there, or overlap. */
  private plainIn(
    text: string,
    spans: readonly Span[],
    languageId: string,
  ): readonly Reference[] | undefined {
    const found: Reference[] = [];
    for (const { start, end } of spans) {
      const core = text.slice(start, end);
      const ids = this.cores.get(core);
      if (ids === undefined) continue;
      if (ids.size > 1 || !ids.has(core)) return undefined;
      if (standsAlone(text, { start, end }, languageId)) found.push({ id: core, start, end });
    }
    found.sort((a, b) => a.start - b.start);
    const overlaps = found.some(({ start }, at) => at > 0 && start < found[at - 1]!.end);
    return overlaps ? undefined : found;
  }

  /** Begins with a run, unless that one began long before. */
  private stretchAround(text: string, start: number, end: number): Stretch {
    const reach = this.maxChars + maxBeforeId;
    let from = Math.max(0, start - reach);
    const limit = from - maxBeforeId;
    while (from > limit && isBehindToken(text, from)) from--;
    // A pair of surrogates is one character.
    if (from > 0 && /[\udc00-\udfff]/.test(text.charAt(from))) from--;
    return { from, to: end + reach, isCut: isBehindToken(text, from) };
  }
}

/** In order, and joined with the last one if they touch. */
function addStretch(stretches: Stretch[], added: Stretch): void {
  const last = stretches.at(-1);
  if (last && added.from <= last.to) stretches[stretches.length - 1] = { ...last, to: added.to };
  else stretches.push(added);
}

/** Without those that the automaton finds in the stretches, both in order. */
function outside(
  stretches: readonly Stretch[],
  references: readonly Reference[],
): readonly Reference[] {
  let passed = 0;
  return references.filter(({ start }) => {
    while (passed < stretches.length && stretches[passed]!.to <= start) passed++;
    const stretch = stretches[passed];
    return (
      stretch === undefined || start < stretch.from || (start === stretch.from && stretch.isCut)
    );
  });
}

/** Of several parts of one length the first. */
function coreOf(id: string): string {
  const found = (id.match(runs) ?? []).flatMap(partsOf);
  return found.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}
