import { partsOf, tokenCharacters } from './borders.js';

/** An id as a whole token in a text, from `start` to `end`, in UTF-16 units as in VS Code. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** A part of a run of token characters in which the script does not change, or one other character. */
export interface Segment {
  /**
   * Equal for equal segments. `^` stands before the segment where an id that begins with it borders
   * on what stands before: `/` behind a run is `^/`, and elsewhere `/`.
   */
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
}

const beginsWithAscii = /^[A-Za-z\d]/;

/** The segments from an index on, as if the text began there. */
export function* segmentsOf(text: string, from = 0): Generator<Segment> {
  const segments = new RegExp(`([${tokenCharacters}]+)|.`, 'gsu');
  segments.lastIndex = from;
  let isBehindToken = false;
  for (const { 0: segment, 1: run, index } of text.matchAll(segments)) {
    let start = index;
    for (const part of run === undefined ? [segment] : partsOf(run)) {
      const end = start + part.length;
      // Before a letter or digit of ASCII, only another script can be part of the same run.
      const borders = isBehindToken && !beginsWithAscii.test(part);
      yield { symbol: borders ? `^${part}` : part, start, end };
      start = end;
      isBehindToken = run !== undefined;
    }
  }
}
