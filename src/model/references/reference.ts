/** An id as a whole token in a text, from `start` up to `end`, in UTF-16 units as everywhere in VS Code. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** As the inside of a character class. An id must not border on such a character. */
export const tokenCharacters = '\\p{L}\\p{N}\\p{M}_-';

/** A run of token characters, or one other character. */
export interface Segment {
  /** Equal for equal segments. A character after a character that is no token has another one than after a run. */
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
}

/** From the one that stands at an index; its run may have begun before. */
export function* segmentsOf(text: string, from = 0): Generator<Segment> {
  const segments = new RegExp(`([${tokenCharacters}]+)|.`, 'gsu');
  segments.lastIndex = from;
  let isAfterRun = false;
  for (const { 0: segment, 1: run, index: start } of text.matchAll(segments)) {
    const symbol = run !== undefined || isAfterRun ? segment : `^${segment}`;
    yield { symbol, start, end: start + segment.length };
    isAfterRun = run !== undefined;
  }
}
