import type { Disposable } from '../emitter.js';
import type { Job, Slices } from '../slices.js';
import { type Clock, systemClock } from '../time.js';
import type { Reference, ReferenceIndex } from './known.js';

/** Columns are UTF-16 units, lines count from 0, as everywhere in VS Code. */
export interface LineReference extends Reference {
  readonly line: number;
}

/** As much of a VS Code document as is needed here. */
export interface Text {
  readonly lineCount: number;
  lineAt(line: number): { readonly text: string };
}

/** As much of one of its changes: what stood in these lines was replaced, in part, by `text`. */
export interface TextChange {
  readonly range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } };
  readonly text: string;
}

/** Characters scanned in one step: about a millisecond. */
const step = 1 << 18;

/**
 * The references of one document, by line. At first all lines are scanned, later those from the first touched one to the last; the
 * others keep their references, whose columns stay true.
 */
export class DocumentReferences {
  private lines: (readonly Reference[])[];
  /** All touched lines are from `from` to `to`. */
  private from = 0;
  private to: number;

  constructor(
    readonly index: ReferenceIndex,
    private readonly document: Text,
  ) {
    this.lines = emptyLines(document.lineCount);
    this.to = document.lineCount - 1;
  }

  /** Notes which lines are touched. Each edit counts its lines in what the edit before it left. */
  edit({ range: { start, end }, text }: TextChange): void {
    const removed = end.line - start.line + 1;
    const inserted = text.split(/\r\n|\r|\n/).length;
    if (inserted !== removed) {
      this.lines = [...this.lines.slice(0, start.line), ...emptyLines(inserted), ...this.lines.slice(end.line + 1)];
    }
    this.from = Math.min(this.from, start.line);
    this.to = Math.max(this.to, end.line) + inserted - removed;
  }

  /** Scans touched lines. It is not to be gone on with after an edit: another update scans what is left. */
  *update(characters = step): Job {
    let left = characters;
    for (; this.from <= this.to; this.from++) {
      const { text } = this.document.lineAt(this.from);
      this.lines[this.from] = this.index.scan(text);
      left -= text.length + 1;
      if (left > 0) continue;
      yield;
      left = characters;
    }
    this.from = Infinity;
    this.to = -1;
  }

  *[Symbol.iterator](): Generator<LineReference> {
    for (const [line, found] of this.lines.entries()) {
      for (const reference of found) yield { ...reference, line };
    }
  }
}

function emptyLines(count: number): (readonly Reference[])[] {
  return Array.from({ length: count }, () => []);
}

/** Least distance of two passes over one document in ms, for at most four a second. */
const interval = 250;

export interface Pass {
  readonly slices: Slices;
  /** The known ids as they are now. */
  readonly index: () => ReferenceIndex;
  /** Uses the references once they are true to the text. It is given up if the text changes meanwhile. */
  readonly report: (references: DocumentReferences) => Job;
}

export class TrackedDocument implements Disposable {
  private references: DocumentReferences | undefined;
  /** Present until the next pass begins. */
  private waiting: Disposable | undefined;
  /** The pass under way, which is given up when this is replaced. `again`: there is news, so another one follows. */
  private running: { again: boolean } | undefined;
  private lastPass = -Infinity;

  constructor(
    private readonly document: Text,
    private readonly pass: Pass,
    private readonly clock: Clock = systemClock,
  ) {
    this.request();
  }

  /** Typing costs next to nothing: the next pass looks at the touched lines. */
  edit(changes: readonly TextChange[]): void {
    if (changes.length === 0) return;
    for (const change of changes) this.references?.edit(change);
    this.running = undefined;
    this.request();
  }

  /** Asks for a pass because the text, the ids or what they mean changed. It comes at once, or when the next one may come. */
  request(): void {
    if (this.running !== undefined) this.running.again = true;
    else if (this.waiting === undefined) {
      const wait = this.lastPass + interval - this.clock.now();
      // A clock that was set back must not silence us.
      const isDue = wait <= 0 || wait > interval;
      this.waiting = this.clock.setTimer(() => void this.pass.slices.finish(this.job()), isDue ? 0 : wait);
    }
  }

  dispose(): void {
    this.running = undefined;
    this.waiting?.dispose();
    this.waiting = undefined;
  }

  private *job(): Job {
    // The document was closed meanwhile, or another pass has begun in place of this one.
    if (this.waiting === undefined) return;
    // What was asked for before this first step is part of this pass.
    this.waiting = undefined;
    const running = { again: false };
    this.running = running;
    this.lastPass = this.clock.now();
    try {
      for (const _ of this.work()) {
        yield;
        if (this.running !== running) return;
      }
    } finally {
      if (this.running === running) {
        this.running = undefined;
        if (running.again) this.request();
      }
    }
  }

  private *work(): Job {
    const { document, pass } = this;
    const index = pass.index();
    if (this.references?.index !== index) this.references = new DocumentReferences(index, document);
    const { references } = this;
    yield* references.update();
    yield* pass.report(references);
  }
}
