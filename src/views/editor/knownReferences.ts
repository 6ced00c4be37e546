import type * as vscode from 'vscode';
import type { DeploymentStore } from '../../model/deploymentStore.js';
import { type Reference, ReferenceIndex } from '../../model/referenceIndex.js';
import { ReferenceTargets } from '../../model/referenceTargets.js';

/** While many are read new account ids come all the time, and each new index means to scan every document again. */
const restInRefresh = 1000;

/** The known ids and what they mean, from the newest state of the store: made when somebody asks. */
export class KnownReferences {
  private made: { readonly targets: ReferenceTargets; readonly index: ReferenceIndex } | undefined;
  private outdated = false;
  private indexedAt = -Infinity;
  private longest = 0;

  constructor(private readonly store: Pick<DeploymentStore, 'deployments' | 'progress'>) {}

  /** The store has changed. */
  invalidate(): void {
    this.outdated = true;
  }

  get targets(): ReferenceTargets {
    return this.newest().targets;
  }

  /** The same object for as long as the ids are the same. */
  get index(): ReferenceIndex {
    return this.newest().index;
  }

  /** What stands at a position. Two ids can, if one holds the other: the longer comes first. */
  at(document: Pick<vscode.TextDocument, 'lineAt'>, { line, character }: vscode.Position): readonly Reference[] {
    const { index } = this;
    // As much of the line as an id can reach, and a character (or two halves of one) on both sides to tell its borders.
    const from = Math.max(0, character - this.longest - 2);
    const text = document.lineAt(line).text.slice(from, character + this.longest + 2);
    return index
      .scan(text)
      .map(({ id, start, end }) => ({ id, start: start + from, end: end + from }))
      .filter(({ start, end }) => start <= character && character <= end)
      .toSorted((a, b) => b.end - b.start - (a.end - a.start));
  }

  private newest() {
    if (this.made !== undefined && !this.outdated) return this.made;
    const targets = new ReferenceTargets(this.store.deployments);
    this.outdated = false;
    this.made = { targets, index: this.indexOf(targets) };
    return this.made;
  }

  private indexOf(targets: ReferenceTargets): ReferenceIndex {
    const before = this.made?.index;
    const now = Date.now();
    if (before !== undefined) {
      const isResting = this.store.progress !== undefined && Math.abs(now - this.indexedAt) < restInRefresh;
      // The store tells of the end of a refresh too, so that nothing is left out for long.
      if (isResting || targets.haveIds(before.ids)) return before;
    }
    this.indexedAt = now;
    this.longest = 0;
    const ids = [...targets.ids()];
    for (const id of ids) this.longest = Math.max(this.longest, id.length);
    return new ReferenceIndex(ids);
  }
}
