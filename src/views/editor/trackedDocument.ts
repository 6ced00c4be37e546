import { DocumentReferences } from '../../model/documentReferences.js';
import type { Disposable } from '../../model/emitter.js';
import type { ReferenceIndex } from '../../model/referenceIndex.js';
import { type Clock, systemClock } from '../clock.js';
import type { Job, Slices } from './slices.js';

/** Least distance of two passes over one document, ms: no more than four a second. */
const interval = 250;

/** As much of a VS Code document as is needed here. */
export interface Text {
  getText(): string;
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
  /** The text is no longer the one that the pass under way began with. */
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
    if (this.references === undefined || this.scannedFor !== index) {
      // What was found before stays until the whole text has been looked at.
      const coming = new DocumentReferences(index, document.getText());
      while (!coming.scan()) yield;
      this.references = coming;
      this.scannedFor = index;
    }
    while (!this.references.update((line) => document.lineAt(line).text)) yield;
    yield* pass.report(document, this.references);
  }
}
