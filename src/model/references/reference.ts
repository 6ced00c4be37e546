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
   * The text of the segment, after `^` if no ID can begin with it because a token character stands
   * before it: `/` after a run is `^/`, and elsewhere `/`. A letter or digit of ASCII has no `^`,
   * because only a letter of an unspaced script can stand before it in the same run ("日本dep"), and
   * there an ID can begin.
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
      const continuesToken = isAfterToken && !beginsWithAscii.test(part);
      yield { symbol: continuesToken ? `^${part}` : part, start, end };
      start = end;
      isAfterToken = isRun;
    }
  }
}
