import type { SetTimer } from '../../api/timers.js';
import type { Disposable } from '../base/emitter.js';
import type { ReferenceIndex } from './referenceIndex.js';
import { type ReferenceInLine, referencesInLines } from './textPositions.js';

/** How long a document is not edited before it is scanned. */
const pauseMs = 250;

interface DocumentScansOptions<Document extends { readonly languageId: string }> {
  readonly index: ReferenceIndex;
  readonly setTimer: SetTimer;
  /** Returns `undefined` if the text is too large to be read. */
  readonly textOf: (document: Document) => string | undefined;
  /** Returns the references of a text that are shown. The document mentions the others, too. */
  readonly shownOf: (
    document: Document,
    references: readonly ReferenceInLine[],
    text: string,
  ) => readonly ReferenceInLine[];
  readonly show: (document: Document, references: readonly ReferenceInLine[]) => void;
  /** Called with the IDs that all open documents mention whenever these have changed. */
  readonly onMentioned: (ids: ReadonlySet<string>) => void;
}

/** What is known of an open document. */
interface Scan {
  /**
   * The version of the index that the text was scanned with; `undefined` before the first scan, and
   * if the text has changed since.
   */
  version: number | undefined;
  /** The IDs of all references in the text. */
  ids: ReadonlySet<string>;
  /** The references that are shown. */
  shown: readonly ReferenceInLine[];
  /** Runs since the last edit, and requests a scan. */
  timer: Disposable | undefined;
}

/**
 * Scans each document when it is opened, 250 ms after its last edit, and when IDs are added or
 * deleted: one document in each iteration of the event loop. The features of editors report what
 * happens to documents.
 */
export class DocumentScans<Document extends { readonly languageId: string }> implements Disposable {
  /** By open document. */
  private readonly scans = new Map<Document, Scan>();
  /** The documents to scan or to show again, in this order. */
  private readonly due = new Set<Document>();
  private nextIteration: NodeJS.Immediate | undefined;
  /** The IDs that `onMentioned` was last called with. */
  private mentioned: ReadonlySet<string> = new Set();

  constructor(private readonly options: DocumentScansOptions<Document>) {}

  open(document: Document): void {
    if (this.scans.has(document)) return;
    this.scans.set(document, { version: undefined, ids: new Set(), shown: [], timer: undefined });
    this.request(document);
  }

  close(document: Document): void {
    this.scans.get(document)?.timer?.dispose();
    this.scans.delete(document);
    this.due.delete(document);
    // The document may have been the only one that mentioned an ID.
    this.schedule();
  }

  handleEdit(document: Document): void {
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

  /**
   * Shows references again, because what they stand for may have changed. Documents that show none
   * are left out, unless the IDs have changed; documents that are being edited are scanned later.
   */
  showAgain(): void {
    for (const [document, { version, shown, timer }] of this.scans) {
      const isScanned = version === this.options.index.version;
      const showsNothing = isScanned && shown.length === 0;
      if (timer === undefined && !showsNothing) this.request(document);
    }
  }

  dispose(): void {
    clearImmediate(this.nextIteration);
    for (const { timer } of this.scans.values()) timer?.dispose();
    this.scans.clear();
  }

  private request(document: Document): void {
    this.due.add(document);
    this.schedule();
  }

  private schedule(): void {
    this.nextIteration ??= setImmediate(() => this.updateNext());
  }

  private updateNext(): void {
    this.nextIteration = undefined;
    const [document] = this.due;
    if (document !== undefined) {
      this.due.delete(document);
      this.update(document);
    }
    if (this.due.size > 0) this.schedule();
    else this.notifyMentioned();
  }

  /** Scans a document if its text or the IDs have changed, and shows its references. */
  private update(document: Document): void {
    const { index, show, shownOf, textOf } = this.options;
    const scan = this.scans.get(document);
    if (!scan) return;
    if (scan.version !== index.version) {
      scan.version = index.version;
      // Without an ID to look for, the text is not needed.
      const text = index.ids.size > 0 ? (textOf(document) ?? '') : '';
      const references = referencesInLines(index.scan(text, document.languageId), text);
      scan.ids = new Set(references.map(({ id }) => id));
      scan.shown = shownOf(document, references, text);
    }
    show(document, scan.shown);
  }

  private notifyMentioned(): void {
    const mentioned = new Set<string>();
    for (const { ids } of this.scans.values()) {
      for (const id of ids) mentioned.add(id);
    }
    if (isSameSet(mentioned, this.mentioned)) return;
    this.mentioned = mentioned;
    this.options.onMentioned(mentioned);
  }
}

function isSameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
