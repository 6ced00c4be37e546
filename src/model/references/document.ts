import type { Disposable } from '../emitter.js';
import type { Job, Slices } from '../slices.js';
import { type Clock, systemClock } from '../time.js';
import type { Reference, ReferenceIndex } from './index.js';

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

/** Characters scanned in one step: about a millisecond. */
const step = 1 << 18;

/**
 * The references of one document, by line. Only lines that were touched are scanned, at first all; the others keep theirs without
 * being moved.
 */
export class DocumentReferences {
  /** `null`: the line's text has changed since it was scanned. */
  private lines: (readonly Reference[] | null | undefined)[];
  /** All touched lines are in there. */
  private from = 0;
  private to: number;

  constructor(
    private readonly index: ReferenceIndex,
    lineCount: number,
  ) {
    this.lines = Array<null>(lineCount).fill(null);
    this.to = lineCount - 1;
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
  update(lineAt: (line: number) => string, characters = step): boolean {
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

function countLines(text: string): number {
  return text.length < 2 && text !== '\n' && text !== '\r' ? 1 : text.split(/\r\n|\r|\n/).length;
}

/** Least distance of two passes over one document, ms: no more than four a second. */
const interval = 250;

/** As much of a VS Code document as is needed here. */
export interface Text {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** As much of one of its changes. */
export interface TextChange {
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly text: string;
}

export interface Pass<Document extends Text> {
  readonly slices: Slices;
  /** The known ids as they are now. */
  readonly index: () => ReferenceIndex;
  /** What is done with the references once they are true to the text. Not reached if the text changes meanwhile. */
  readonly report: (document: Document, references: DocumentReferences) => Job;
}

/** An open document and the references in it. */
export class TrackedDocument<Document extends Text> implements Disposable {
  private references: DocumentReferences | undefined;
  private scannedFor: ReferenceIndex | undefined;
  private timer: Disposable | undefined;
  private running = false;
  /** A pass has been asked for while one is under way. */
  private again = false;
  /** The text, or the organization, is no longer the one that the pass under way began with. */
  private touched = false;
  private lastPass = -Infinity;
  private disposed = false;

  constructor(
    private readonly document: Document,
    private readonly pass: Pass<Document>,
    private readonly clock: Clock = systemClock,
  ) {
    this.request();
  }

  /** Typing costs this much: which lines were touched. They are looked at when the next pass comes. */
  edit(changes: readonly TextChange[]): void {
    if (changes.length === 0) return;
    this.touched = true;
    for (const { range, text } of changes) {
      this.references?.edit({ startLine: range.start.line, endLine: range.end.line, text });
    }
    this.request();
  }

  /** Something about the text, the ids or what they mean is another: a pass, at once or when the next one may come. */
  request(): void {
    this.again = true;
    if (this.disposed || this.running || this.timer !== undefined) return;
    const wait = this.lastPass + interval - this.clock.now();
    // A clock that was set back must not silence us.
    if (wait <= 0 || wait > interval) this.start();
    else this.timer = this.clock.setTimer(() => this.start(), wait);
  }

  /** What a pass under way would report is no longer so: it is given up, and the next one comes at once. */
  restart(): void {
    this.touched = true;
    this.lastPass = -Infinity;
    this.timer?.dispose();
    this.timer = undefined;
    this.request();
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
  }

  private start(): void {
    this.timer = undefined;
    this.running = true;
    this.lastPass = this.clock.now();
    this.pass.slices.run(this.job());
  }

  private *job(): Job {
    // Only now: what was asked for before the first step is part of this pass.
    this.again = false;
    this.touched = false;
    try {
      const work = this.work();
      while (!this.disposed && !this.touched && work.next().done !== true) yield;
    } finally {
      this.running = false;
      if (this.again) this.request();
    }
  }

  private *work(): Job {
    const { document, pass } = this;
    const index = pass.index();
    const references =
      (this.scannedFor === index && this.references) || new DocumentReferences(index, document.lineCount);
    while (!references.update((line) => document.lineAt(line).text)) yield;
    // What was found before stays until the whole text has been looked at.
    this.references = references;
    this.scannedFor = index;
    yield* pass.report(document, references);
  }
}
