import { lastUpTo } from '../../api/binarySearch.js';

/** Where an entry stands in a file. */
export interface EntryPosition {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

/** "deploy/list.txt:3:5" */
export function positionText({ file, line, column }: EntryPosition): string {
  return `${file}:${line}:${column}`;
}

/** A text about an entry, with where the entry stands; `undefined` for what stands in no file. */
export interface PlacedText {
  readonly position: EntryPosition | undefined;
  readonly text: string;
}

/**
 * "deploy/list.txt:3:5: Billing sync: …"; the text alone for what stands in no file.
 */
export function placedText({ position, text }: PlacedText): string {
  return position ? `${positionText(position)}: ${text}` : text;
}

export type FindPosition = (offset: number) => EntryPosition;

/**
 * Returns a function that finds the position of an offset. A file can have too many lines to go
 * through all of them for each of its entries.
 */
export function positionsIn(file: string, text: string): FindPosition {
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    lineStarts.push(at + 1);
  return (offset) => {
    const lineIndex = lastUpTo(offset, lineStarts, (start) => start);
    return { file, line: lineIndex + 1, column: offset - lineStarts[lineIndex]! + 1 };
  };
}
