import type { Reference } from './reference.js';
import type { ReferenceIndex, ReferenceScan } from './referenceIndex.js';

/** Columns are UTF-16 units, lines count from 0, as everywhere in VS Code. */
export interface LineReference extends Reference {
  readonly line: number;
}

/** One change of a document: these lines were replaced by what `text` has. */
export interface LineEdit {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** Scanned in one go: about a millisecond. */
const slice = 1 << 18;

/**
 * The references of one document, by line. An edit touches its own lines only; the others keep theirs without being moved.
 * Both ways to scan do a bounded amount of work in one call and return whether they are done.
 */
export class DocumentReferences {
  /** `null`: the line's text has changed since it was scanned. */
  private lines: (readonly Reference[] | null | undefined)[] = [];
  /** All touched lines are in there. */
  private from = Infinity;
  private to = -1;
  private first: FirstScan | undefined;

  constructor(
    private readonly index: ReferenceIndex,
    text: string,
  ) {
    // Lone carriage returns end a line too; columns stay what they are.
    const lines = /\r(?!\n)/.test(text) ? text.replace(/\r\n?/g, '\n') : text;
    this.first = new FirstScan(index, lines);
  }

  /** A slice of the first scan; true once it is complete. Until then an edit calls for a new object. */
  scan(characters = slice): boolean {
    if (this.first === undefined) return true;
    const lines = this.first.step(characters);
    if (lines === undefined) return false;
    this.lines = lines;
    this.first = undefined;
    return true;
  }

  /** Edits come one after the other, each in the lines that the one before left. */
  edit({ startLine, endLine, text }: LineEdit): void {
    const removed = endLine - startLine + 1;
    const inserted = countLines(text);
    if (inserted === removed) {
      this.lines.fill(null, startLine, endLine + 1);
    } else if (inserted < 1000) {
      this.lines.splice(startLine, removed, ...Array<null>(inserted).fill(null));
    } else {
      const middle = Array<null>(inserted).fill(null);
      this.lines = [...this.lines.slice(0, startLine), ...middle, ...this.lines.slice(endLine + 1)];
    }
    if (this.to > endLine) this.to += inserted - removed;
    else this.to = startLine + inserted - 1;
    this.from = Math.min(this.from, startLine);
  }

  /** Scans touched lines, with the document as all edits left it; false: there are more, call again. */
  update(lineAt: (line: number) => string, characters = slice): boolean {
    let left = characters;
    for (let line = this.from; line <= this.to; line++) {
      if (this.lines[line] !== null) continue;
      if (left <= 0) {
        this.from = line;
        return false;
      }
      const text = lineAt(line);
      const found = this.index.scan(text);
      this.lines[line] = found.length === 0 ? undefined : found;
      left -= text.length + 1;
    }
    this.from = Infinity;
    this.to = -1;
    return true;
  }

  /** Those of one line. */
  at(line: number): readonly Reference[] {
    return this.lines[line] ?? [];
  }

  *[Symbol.iterator](): Generator<LineReference> {
    for (let line = 0; line < this.lines.length; line++) {
      const found = this.lines[line];
      if (!found) continue;
      for (const { id, start, end } of found) yield { id, line, start, end };
    }
  }
}

/** The first scan: what is found by its place in the text, then line by line. */
class FirstScan {
  private readonly scan: ReferenceScan;
  private found: readonly Reference[] | undefined;
  private readonly lines: (readonly Reference[] | undefined)[] = [];
  private lineStart = 0;
  private next = 0;

  constructor(
    index: ReferenceIndex,
    private readonly text: string,
  ) {
    this.scan = index.start(text);
  }

  /** Goes on for about so many characters. The lines, once all is done. */
  step(characters: number): (readonly Reference[] | undefined)[] | undefined {
    if (this.found === undefined) {
      this.found = this.scan.step(characters);
      return undefined;
    }
    const until = this.lineStart + characters;
    while (this.lineStart < until) {
      const lineEnd = this.text.indexOf('\n', this.lineStart);
      this.lines.push(this.takeUpTo(lineEnd < 0 ? Infinity : lineEnd, this.found));
      if (lineEnd < 0) return this.lines;
      this.lineStart = lineEnd + 1;
    }
    return undefined;
  }

  private takeUpTo(lineEnd: number, found: readonly Reference[]): readonly Reference[] | undefined {
    let own: Reference[] | undefined;
    for (let reference = found[this.next]; reference !== undefined; reference = found[++this.next]) {
      const { id, start, end } = reference;
      if (start >= lineEnd) break;
      own ??= [];
      own.push({ id, start: start - this.lineStart, end: end - this.lineStart });
    }
    return own;
  }
}

function countLines(text: string): number {
  return text.length < 2 && text !== '\n' && text !== '\r' ? 1 : text.split(/\r\n|\r|\n/).length;
}
