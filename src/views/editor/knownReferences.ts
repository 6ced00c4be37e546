import type { Text } from '../../model/references/document.js';
import { type Reference, ReferenceIndex } from '../../model/references/index.js';
import { ReferenceTargets } from '../../model/referenceTargets.js';
import type { Store } from '../../model/store/store.js';

/** While many are read, this many times as long as the last look at all of them took passes before the next. */
const restFactor = 20;

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Known {
  readonly targets: ReferenceTargets;
  /** Another object only if the ids are others: then every document is scanned again. */
  readonly index: ReferenceIndex;
  /** Of the longest id. */
  readonly length: number;
}

/** The known ids and what they mean, from the newest state of the store: made when somebody asks. */
export class KnownReferences {
  private made: Known | undefined;
  private organizationId: string | undefined;
  private outdated = false;
  private restUntil = -Infinity;

  constructor(
    private readonly store: Pick<Store, 'organizationId' | 'deployments' | 'progress'>,
    /** Milliseconds of a clock that is never set. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The store has changed. */
  invalidate(): void {
    this.outdated = true;
  }

  get targets(): ReferenceTargets {
    return this.newest().targets;
  }

  get index(): ReferenceIndex {
    return this.newest().index;
  }

  /** What stands at a position. Two ids can, if one holds the other: the longer comes first. */
  at(document: Pick<Text, 'lineAt'>, { line, character }: Position): readonly Reference[] {
    const { index, length } = this.newest();
    // As much of the line as an id can reach, and a character (or two halves of one) on both sides to tell its borders.
    const from = Math.max(0, character - length - 2);
    const text = document.lineAt(line).text.slice(from, character + length + 2);
    return index
      .scan(text)
      .map(({ id, start, end }) => ({ id, start: start + from, end: end + from }))
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  private newest(): Known {
    const began = this.now();
    const { organizationId, deployments, progress } = this.store;
    // The end of a refresh is a change too: nothing stays out for longer than that.
    const mayWait = !this.outdated || (progress !== undefined && began < this.restUntil);
    // What one organization said must never be shown under the name of another.
    if (this.made !== undefined && mayWait && organizationId === this.organizationId) return this.made;
    this.organizationId = organizationId;
    if (this.made === undefined) this.made = known(new ReferenceTargets(deployments));
    else if (this.made.targets.update(deployments) && !this.made.targets.haveIds(this.made.index.ids)) {
      this.made = known(this.made.targets);
    }
    this.outdated = false;
    this.restUntil = this.now() + restFactor * (this.now() - began);
    return this.made;
  }
}

function known(targets: ReferenceTargets): Known {
  const index = new ReferenceIndex(targets.ids());
  let length = 0;
  for (const id of index.ids) length = Math.max(length, id.length);
  return { targets, index, length };
}
