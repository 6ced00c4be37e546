/** An id as a whole token in a text, from `start` to `end`, in UTF-16 units as in VS Code. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** As the inside of a character class. An id must not border on such a character. */
export const tokenCharacters = '\\p{L}\\p{N}\\p{M}_-';

/** A run of token characters, or one other character. */
export interface Segment {
  /**
   * Equal for equal segments. `/` behind a run has the symbol `/`, and elsewhere `^/`: so an id that
   * begins with `/` is not found where it borders on a run.
   */
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
}

/** The segments from an index on. The first one may be the end of a run. */
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
