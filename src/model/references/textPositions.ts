import type { Reference } from './reference.js';

/** As a `Position` of VS Code: both from 0, `character` in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A reference in a document: `start` and `end` are characters of its line. */
export interface ReferenceInLine extends Reference {
  readonly line: number;
}

/**
 * Returns the positions of offsets, which are in ascending order, in the text of a document or of
 * some of its lines. VS Code is not asked: once it has returned the position of an offset, it keeps
 * a table of the document's line starts, and copies that table with each later line break.
 */
export function positionsOf(offsets: readonly number[], text: string): readonly TextPosition[] {
  let line = 0;
  let lineStart = 0;
  let lineBreak = text.indexOf('\n');
  return offsets.map((offset) => {
    while (lineBreak >= 0 && lineBreak < offset) {
      line += 1;
      lineStart = lineBreak + 1;
      lineBreak = text.indexOf('\n', lineStart);
    }
    return { line, character: offset - lineStart };
  });
}

/**
 * Converts references, which are in order. `firstLine`: the line of the document in which the text
 * begins.
 */
export function referencesInLines(
  references: readonly Reference[],
  text: string,
  firstLine = 0,
): readonly ReferenceInLine[] {
  const offsets = references.map(({ start }) => start);
  const positions = positionsOf(offsets, text);
  return references.map(({ id, start, end }, index) => {
    const { line, character } = positions[index]!;
    // No reference goes over the end of a line.
    return { id, line: firstLine + line, start: character, end: character + end - start };
  });
}
