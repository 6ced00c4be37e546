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
 * The references of one document, by line. At first all lines are scanned, later only touched ones; the others keep their
 * references, whose columns stay true.
 */
export class DocumentReferences {
  /** `null`: the line's text has changed since it was scanned. */
  private lines: (readonly Reference[] | null | undefined)[];
  /** All touched lines are from `from` to `to`. */
  private from = 0;
  private to: number;

  constructor(
    readonly index: ReferenceIndex,
    lineCount: number,
  ) {
    this.lines = Array<null>(lineCount).fill(null);
    this.to = lineCount - 1;
  }

  /** Each edit counts its lines in what the edit before it left. */
  edit({ startLine, endLine, text }: LineEdit): void {
    const removed = endLine - startLine + 1;
    const inserted = text.split(/\r\n|\r|\n/).length;
    if (inserted === removed) this.lines.fill(null, startLine, endLine + 1);
    else {
      const middle = Array<null>(inserted).fill(null);
      this.lines = [...this.lines.slice(0, startLine), ...middle, ...this.lines.slice(endLine + 1)];
    }
    if (this.to > endLine) this.to += inserted - removed;
    else this.to = startLine + inserted - 1;
    this.from = Math.min(this.from, startLine);
  }

  /** Scans touched lines of the document as all edits left it. False: there are more, so it must be called again. */
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

  *[Symbol.iterator](): Generator<LineReference> {
    for (let line = 0; line < this.lines.length; line++) {
      const found = this.lines[line];
      if (!found) continue;
      for (const { id, start, end } of found) yield { id, line, start, end };
    }
  }
}

/** Least distance of two passes over one document in ms, for at most four a second. */
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
  /** Uses the references once they are true to the text. It is given up if the text changes meanwhile. */
  readonly report: (document: Document, references: DocumentReferences) => Job;
}

type State =
  | { readonly kind: 'idle' | 'disposed' }
  /** Until the next pass may come. */
  | { readonly kind: 'waiting'; readonly timer: Disposable }
  /** `stale`: the text, or the organization, is another than when the pass began. `again`: another pass follows. */
  | { readonly kind: 'running'; stale: boolean; again: boolean };

/** An open document and the references in it. */
export class TrackedDocument<Document extends Text> implements Disposable {
  private references: DocumentReferences | undefined;
  private state: State = { kind: 'idle' };
  private lastPass = -Infinity;

  constructor(
    private readonly document: Document,
    private readonly pass: Pass<Document>,
    private readonly clock: Clock = systemClock,
  ) {
    this.request();
  }

  /** Notes which lines were touched, so that typing costs next to nothing. The next pass looks at them. */
  edit(changes: readonly TextChange[]): void {
    if (changes.length === 0) return;
    for (const { range, text } of changes) {
      this.references?.edit({ startLine: range.start.line, endLine: range.end.line, text });
    }
    this.giveUp();
    this.request();
  }

  /** Asks for a pass because the text, the ids or what they mean changed. It comes at once, or when the next one may come. */
  request(): void {
    if (this.state.kind === 'running') this.state.again = true;
    if (this.state.kind !== 'idle') return;
    const wait = this.lastPass + interval - this.clock.now();
    // A clock that was set back must not silence us.
    if (wait <= 0 || wait > interval) this.start();
    else this.state = { kind: 'waiting', timer: this.clock.setTimer(() => this.start(), wait) };
  }

  /** Gives up the pass under way, because what it would report is no longer true. The next one comes at once. */
  restart(): void {
    this.giveUp();
    this.lastPass = -Infinity;
    if (this.state.kind === 'waiting') {
      this.state.timer.dispose();
      this.state = { kind: 'idle' };
    }
    this.request();
  }

  dispose(): void {
    if (this.state.kind === 'waiting') this.state.timer.dispose();
    this.state = { kind: 'disposed' };
  }

  private giveUp(): void {
    if (this.state.kind === 'running') this.state.stale = true;
  }

  private start(): void {
    const running: State = { kind: 'running', stale: false, again: false };
    this.state = running;
    this.lastPass = this.clock.now();
    void this.pass.slices.finish(this.job(running));
  }

  private *job(running: Extract<State, { kind: 'running' }>): Job {
    // What was asked for before this first step is part of this pass.
    running.again = false;
    running.stale = false;
    try {
      const work = this.work();
      while (this.state === running && !running.stale && work.next().done !== true) yield;
    } finally {
      if (this.state === running) {
        this.state = { kind: 'idle' };
        if (running.again) this.request();
      }
    }
  }

  private *work(): Job {
    const { document, pass } = this;
    const index = pass.index();
    const { references: before } = this;
    const references = before?.index === index ? before : new DocumentReferences(index, document.lineCount);
    while (!references.update((line) => document.lineAt(line).text)) yield;
    // The earlier references stay until the whole text has been looked at.
    this.references = references;
    yield* pass.report(document, references);
  }
}
