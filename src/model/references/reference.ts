import { partsOf, tokenCharacters } from './borders.js';

/** An ID as a whole token in a text, from `start` to `end`, in UTF-16 units as in VS Code. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/**
 * A part of a run of token characters in which the script does not change, or one other character.
 * "dep_1/a" has the segments "dep_1", "/", and "a".
 */
export interface Segment {
  /**
   * The text of the segment. It begins with `^` where an ID that begins with the segment would
   * border on a token character before it: `/` after a run is `^/`, and elsewhere `/`.
   */
  readonly symbol: string;
  readonly start: number;
  readonly end: number;
}

const beginsWithAscii = /^[A-Za-z\d]/;

/** Yields the segments from an index on, as if the text began there. */
export function* segmentsOf(text: string, from = 0): Generator<Segment, void> {
  const runOrCharacter = new RegExp(`([${tokenCharacters}]+)|.`, 'gsu');
  runOrCharacter.lastIndex = from;
  let isAfterToken = false;
  for (const match of text.matchAll(runOrCharacter)) {
    const [whole, run] = match;
    const isRun = run !== undefined;
    const parts = isRun ? partsOf(run) : [whole];
    let start = match.index;
    for (const part of parts) {
      const end = start + part.length;
      // Before a letter or digit of ASCII, only another script can be part of the same run.
      const hasBorder = isAfterToken && !beginsWithAscii.test(part);
      yield { symbol: hasBorder ? `^${part}` : part, start, end };
      start = end;
      isAfterToken = isRun;
    }
  }
}
