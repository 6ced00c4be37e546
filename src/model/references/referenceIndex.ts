import { maxIdChars } from '../entered/enteredIds.js';
import {
  hasUnspacedLetters,
  innerSpans,
  isAfterToken,
  partsOf,
  type Span,
  standsAlone,
  tokenCharacters,
} from './borders.js';
import { IdAutomaton, type Stretch } from './idAutomaton.js';
import type { Reference } from './reference.js';

const anyRun = new RegExp(`[${tokenCharacters}]+`, 'gu');

/** More than what a run can have before an ID: the end of a code, or `_`. */
const maxBeforeId = 16;

/**
 * Holds the IDs that count as references, and finds them in a text. `ReferenceTargets` adds and
 * deletes the IDs; documents are scanned with it.
 *
 * A run is a sequence of token characters. The core of an ID is the longest part of its runs:
 * "orders" of "a/orders". In a text with the ID, its core is a part of a run of the text, so each
 * run of the text is looked up in a map. Most IDs are their core, and most cores a whole run;
 * elsewhere an automaton reads what surrounds the core.
 */
export class ReferenceIndex {
  /** Changes whenever an ID is added or deleted. */
  version = 0;
  private readonly allIds = new Set<string>();
  private readonly idsByCore = new Map<string, Set<string>>();
  /**
   * No core has fewer characters, of which a surrogate pair is one. At most 8, because the
   * expression starts again at each character of a shorter run.
   */
  private minCoreChars = 8;
  /** At least the length of the longest ID. It does not fall when an ID is deleted. */
  private maxChars = 0;
  /** Made when a text has a core that may be more or less than a whole run. */
  private automaton: IdAutomaton | undefined;

  get ids(): ReadonlySet<string> {
    return this.allIds;
  }

  /** Leaves out an ID that can't be requested, can't be in one line, or has no token character. */
  add(id: string): void {
    const isUnusable = id.length > maxIdChars || /[\r\n]|\p{Surrogate}/u.test(id);
    if (this.allIds.has(id) || isUnusable) return;
    const core = coreOf(id);
    if (core === '') return;

    const coreChars = Array.from(core).length;
    const idsOfCore = this.idsByCore.get(core) ?? new Set();
    this.idsByCore.set(core, idsOfCore.add(id));
    this.allIds.add(id);
    this.minCoreChars = Math.min(this.minCoreChars, coreChars);
    this.maxChars = Math.max(this.maxChars, id.length);
    this.automaton = undefined;
    this.version += 1;
  }

  delete(id: string): void {
    const wasAdded = this.allIds.delete(id);
    if (!wasAdded) return;
    const core = coreOf(id);
    const idsOfCore = this.idsByCore.get(core);
    idsOfCore?.delete(id);
    if (idsOfCore?.size === 0) this.idsByCore.delete(core);
    this.automaton = undefined;
    this.version += 1;
  }

  /**
   * Returns the references in a text, in order. Of references that overlap only the longest counts,
   * of equally long ones the first. What may border on an ID depends on the language of the text.
   */
  scan(text: string, languageId: string): readonly Reference[] {
    /** Found without the automaton. */
    const plain: Reference[] = [];
    const stretches: Stretch[] = [];
    const canChangeScript = hasUnspacedLetters(text);
    // Most runs of a text are short, and skipping them is faster than looking them up.
    const longRuns = new RegExp(`[${tokenCharacters}]{${this.minCoreChars},}`, 'gu');
    for (const { 0: run, index: start } of text.matchAll(longRuns)) {
      const span = { start, end: start + run.length };
      const spans = innerSpans(text, span, languageId, canChangeScript);
      const isWholeRun = spans.length === 0;
      if (isWholeRun && !this.idsByCore.has(run)) continue;
      const found = isWholeRun
        ? this.referenceInRun(run, start)
        : this.referencesInSpans(text, spans, languageId);
      if (found) plain.push(...found);
      else addStretch(stretches, this.stretchAround(text, span));
    }
    if (stretches.length === 0) return plain;

    this.automaton ??= new IdAutomaton(this.allIds);
    const inStretches = this.automaton.scan(text, stretches, languageId);
    const all = [...referencesOutside(stretches, plain), ...inStretches];
    const inOrder = all.toSorted((a, b) => a.start - b.start);
    // The automaton reads an ID after a code beyond the end of a stretch. A shorter ID that it ends
    // with is then in both lists.
    return inOrder.filter(({ start }, index) => start !== inOrder[index - 1]?.start);
  }

  /**
   * Returns the reference of a line that holds or touches the index `character`, the longer of two;
   * `undefined` if none does. Reads only what surrounds that index, however long the line is.
   */
  referenceAt(line: string, character: number, languageId: string): Reference | undefined {
    // All references that overlap the wanted one are in this reach, and a false border at the cut
    // is farther away.
    const reach = 2 * (maxIdChars + maxBeforeId);
    const from = Math.max(0, character - reach);
    const surroundings = line.slice(from, character + reach);
    let longest: Reference | undefined;
    for (const found of this.scan(surroundings, languageId)) {
      const start = found.start + from;
      const end = found.end + from;
      const isTouched = start <= character && character <= end;
      const isLonger = longest === undefined || found.id.length > longest.id.length;
      if (isTouched && isLonger) longest = { id: found.id, start, end };
    }
    return longest;
  }

  /**
   * Returns `undefined` if the automaton is needed, because some IDs with that core are more than
   * it.
   */
  private referenceInRun(run: string, start: number): readonly Reference[] | undefined {
    const ids = this.idsByCore.get(run)!;
    const isOnlyId = ids.size === 1 && ids.has(run);
    return isOnlyId ? [{ id: run, start, end: start + run.length }] : undefined;
  }

  /**
   * Returns `undefined` if the automaton is needed, because IDs there are more than a core, or
   * overlap.
   */
  private referencesInSpans(
    text: string,
    spans: readonly Span[],
    languageId: string,
  ): readonly Reference[] | undefined {
    const found: Reference[] = [];
    for (const span of spans) {
      const core = text.slice(span.start, span.end);
      const ids = this.idsByCore.get(core);
      if (ids === undefined) continue;
      const isOnlyId = ids.size === 1 && ids.has(core);
      if (!isOnlyId) return undefined;
      if (standsAlone(text, span, languageId))
        found.push({ id: core, start: span.start, end: span.end });
    }
    found.sort((a, b) => a.start - b.start);
    const overlaps = found.some(({ start }, index) => index > 0 && start < found[index - 1]!.end);
    return overlaps ? undefined : found;
  }

  /** Returns what surrounds a run. It begins with a run, unless that run began long before. */
  private stretchAround(text: string, run: Span): Stretch {
    const reach = this.maxChars + maxBeforeId;
    let from = Math.max(0, run.start - reach);
    const limit = from - maxBeforeId;
    while (from > limit && isAfterToken(text, from)) from -= 1;
    // A pair of surrogates is one character.
    if (from > 0 && /[\udc00-\udfff]/.test(text.charAt(from))) from -= 1;
    return { from, to: run.end + reach, isCut: isAfterToken(text, from) };
  }
}

/** Adds a stretch after the others, or extends the last one if they touch. */
function addStretch(stretches: Stretch[], added: Stretch): void {
  const last = stretches.at(-1);
  const touches = last !== undefined && added.from <= last.to;
  if (touches) stretches[stretches.length - 1] = { ...last, to: added.to };
  else stretches.push(added);
}

/**
 * Returns the references that begin in no stretch, in which the automaton finds all others. The
 * automaton also finds none that begins exactly at a cut (`isCut`), where a stretch begins inside a
 * run. Stretches and references are in order.
 */
function referencesOutside(
  stretches: readonly Stretch[],
  references: readonly Reference[],
): readonly Reference[] {
  const found: Reference[] = [];
  /** How many stretches end before this reference. */
  let passed = 0;
  for (const reference of references) {
    const { start } = reference;
    while (passed < stretches.length && stretches[passed]!.to <= start) passed += 1;
    const stretch = stretches[passed];
    const isBefore = stretch === undefined || start < stretch.from;
    const isAtCut = stretch?.isCut === true && start === stretch.from;
    if (isBefore || isAtCut) found.push(reference);
  }
  return found;
}

/**
 * Returns the longest part of the runs of an ID, of equally long parts the first; `''` if it has no
 * run.
 */
function coreOf(id: string): string {
  const runs = id.match(anyRun) ?? [];
  let longest = '';
  for (const part of runs.flatMap(partsOf)) {
    if (part.length > longest.length) longest = part;
  }
  return longest;
}
