import type { SetTimer } from '../../api/timers.js';
import type { Disposable } from '../base/emitter.js';
import type { ReferenceIndex } from './referenceIndex.js';
import { type ReferenceInLine, referencesInLines } from './textPositions.js';

const pauseMs = 250;

const none: ReadonlySet<string> = new Set();

interface DocumentScansOptions<Document extends { readonly languageId: string }> {
  readonly index: ReferenceIndex;
  readonly setTimer: SetTimer;
  /** `undefined` if it is too large to be read. */
  readonly textOf: (document: Document) => string | undefined;
  /** Which of the references in the text are shown. The others are mentioned in the document all the same. */
  readonly shownOf: (
    document: Document,
    references: readonly ReferenceInLine[],
    text: string,
  ) => readonly ReferenceInLine[];
  readonly show: (document: Document, references: readonly ReferenceInLine[]) => void;
  /** Called with the ids in all open documents whenever they are others than before. */
  readonly onMentioned: (ids: ReadonlySet<string>) => void;
}

interface Scan {
  /** Version of the index that the text was scanned with; `undefined` if the text has changed since. */
  version: number | undefined;
  /** The ids of all references in the text. */
  ids: ReadonlySet<string>;
  shown: readonly ReferenceInLine[];
  timer: Disposable | undefined;
}

/** Scans each document when it is opened, 250 ms after its last edit, and when ids come or go: one in each iteration of the event loop. */
export class DocumentScans<Document extends { readonly languageId: string }> implements Disposable {
  private readonly scans = new Map<Document, Scan>();
  private readonly due = new Set<Document>();
  private next: NodeJS.Immediate | undefined;
  private mentioned: ReadonlySet<string> = new Set();

  constructor(private readonly options: DocumentScansOptions<Document>) {}

  open(document: Document): void {
    if (this.scans.has(document)) return;
    this.scans.set(document, { version: undefined, ids: none, shown: [], timer: undefined });
    this.request(document);
  }

  close(document: Document): void {
    this.scans.get(document)?.timer?.dispose();
    this.scans.delete(document);
    this.due.delete(document);
    this.schedule();
  }

  edited(document: Document): void {
    const scan = this.scans.get(document);
    if (!scan) return;
    scan.version = undefined;
    this.due.delete(document);
    scan.timer?.dispose();
    scan.timer = this.options.setTimer(() => {
      scan.timer = undefined;
      this.request(document);
    }, pauseMs);
  }

  showAgain(): void {
    for (const [document, { version, shown, timer }] of this.scans) {
      const isPlain = version === this.options.index.version && shown.length === 0;
      if (timer === undefined && !isPlain) this.request(document);
    }
  }

  dispose(): void {
    clearImmediate(this.next);
    for (const { timer } of this.scans.values()) timer?.dispose();
    this.scans.clear();
  }

  private request(document: Document): void {
    this.due.add(document);
    this.schedule();
  }

  private schedule(): void {
    this.next ??= setImmediate(() => this.work());
  }

  private work(): void {
    this.next = undefined;
    const [document] = this.due;
    if (document !== undefined) {
      this.due.delete(document);
      this.update(document);
    }
    if (this.due.size > 0) this.schedule();
    else this.notifyMentioned();
  }

  private update(document: Document): void {
    const { index, show, shownOf, textOf } = this.options;
    const scan = this.scans.get(document);
    if (!scan) return;
    if (scan.version !== index.version) {
      scan.version = index.version;
      // Without a known id there is nothing to look for.
      const text = index.ids.size > 0 ? (textOf(document) ?? '') : '';
      const references = referencesInLines(index.scan(text, document.languageId), text);
      scan.ids = new Set(references.map(({ id }) => id));
      scan.shown = shownOf(document, references, text);
    }
    show(document, scan.shown);
  }

  private notifyMentioned(): void {
    const mentioned = new Set([...this.scans.values()].flatMap(({ ids }) => [...ids]));
    if (
      mentioned.size === this.mentioned.size &&
      [...mentioned].every((id) => this.mentioned.has(id))
    )
      return;
    this.mentioned = mentioned;
    this.options.onMentioned(mentioned);
  }
}
