import type * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import type { SetTimer } from '../../api/timers.js';
import { inTime } from '../inTime.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';

/**
 * The revision of a sign-in, which grows with each change of its tokens, or `signedOut`, which is
 * final.
 */
type Mark = number | 'signedOut';

const marksKey = 'signInMarks';
const maxMarks = 100;

/**
 * The marks by which the windows of a profile inform each other about sign-ins: one mark for each
 * organization, by its opaque ID, in VS Code's global state. VS Code in a browser reads its secrets
 * once for each tab and reports no change of another tab, but its global state reaches all tabs
 * within a second. VS Code reports no change of the global state either, so each method reads the
 * marks anew. `SignIns` owns the marks of its window.
 */
export class SignInMarks {
  /**
   * The newest revision that this window need not fetch, by organization ID: the window was opened
   * with it, saved it, or read it from the keyring, perhaps before its mark arrived.
   */
  private readonly seenRevisions = new Map<string, number>();
  /** IDs of the organizations that this window has signed out. */
  private readonly signedOutHere = new Set<string>();

  constructor(
    private readonly state: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly log: Pick<Log, 'warnOnce'>,
    private readonly setTimer: SetTimer,
  ) {
    for (const [id, mark] of this.entries) {
      if (typeof mark === 'number') this.seenRevisions.set(id, mark);
    }
  }

  isSignedOut(id: string): boolean {
    return this.markOf(id) === 'signedOut';
  }

  /**
   * Whether tokens newer than this revision were saved. Version 0.2.0 wrote no revision: its tokens
   * are older only if another window has saved new ones since this window was opened.
   */
  isOlder(id: string, revision: number | undefined): boolean {
    const mark = this.markOf(id);
    if (typeof mark !== 'number') return false;
    return revision === undefined ? this.isUnseen(id) : mark > revision;
  }

  /**
   * Whether another window has saved this sign-in since this window was opened, and this window has
   * not read the saved revision.
   */
  isUnseen(id: string): boolean {
    const mark = this.markOf(id);
    return typeof mark === 'number' && mark > (this.seenRevisions.get(id) ?? -1);
  }

  /**
   * Whether the marks name a sign-in that is not in `ids`, or a newer revision than `revisionOf`
   * returns. A sign-in without a revision counts as up to date.
   */
  isAheadOf(ids: ReadonlySet<string>, revisionOf: (id: string) => number | undefined): boolean {
    return this.entries.some(([id, mark]) => {
      if (mark === 'signedOut') return false;
      return !ids.has(id) || (revisionOf(id) ?? mark) < mark;
    });
  }

  /**
   * IDs of the sign-ins that other windows have saved since this window was opened, and that this
   * window has never read.
   */
  get unseenIds(): readonly string[] {
    return this.entries
      .filter(([id, mark]) => mark !== 'signedOut' && !this.seenRevisions.has(id))
      .map(([id]) => id);
  }

  /** Returns a revision above that of the mark and above `latest`, which the keyring has. */
  nextRevision(id: string, latest = 0): number {
    const mark = this.markOf(id);
    const marked = typeof mark === 'number' ? mark : 0;
    return Math.max(latest, marked) + 1;
  }

  /** Remembers that the keyring of this window has this revision. */
  markSeen(id: string, revision = 0): void {
    this.seenRevisions.set(id, Math.max(revision, this.seenRevisions.get(id) ?? 0));
  }

  /**
   * Remembers that the keyring of this window has the newest tokens, which version 0.2.0 saved
   * without a revision.
   */
  markNewestSeen(id: string): void {
    const mark = this.markOf(id);
    this.markSeen(id, typeof mark === 'number' ? mark : 0);
  }

  /**
   * Writes the mark for the other windows. Resolves within 10 s; if writing fails, the other
   * windows learn of the change from the keyring alone. A sign-out is never replaced by a later
   * mark.
   */
  async publish(id: string, mark: Mark): Promise<void> {
    if (mark === 'signedOut') this.signedOutHere.add(id);
    else if (this.isSignedOut(id)) return;
    else this.markSeen(id, mark);

    const others = this.entries.filter(([otherId]) => otherId !== id);
    const newestLast = [...others.slice(1 - maxMarks), [id, mark]];
    try {
      const update = this.state.update(marksKey, Object.fromEntries(newestLast));
      await inTime(update, () => new Error('VS Code has not answered.'), this.setTimer);
    } catch (error) {
      this.log.warnOnce(
        `Other windows could not be told of the change of a sign-in: ${messageOf(error)}`,
      );
    }
  }

  /**
   * Writes the sign-outs of this window once more if they are gone. A window writes all marks at
   * once, so the marks of two windows that write at the same time overwrite each other.
   */
  async republishSignOuts(): Promise<void> {
    // Only so many marks are kept: writing more would overwrite the first ones, each time anew.
    const latest = [...this.signedOutHere].slice(-maxMarks);
    const overwritten = latest.filter((id) => !this.isSignedOut(id));
    for (const id of overwritten) await this.publish(id, 'signedOut');
  }

  private markOf(id: string): Mark | undefined {
    const { stored } = this;
    const mark = Object.hasOwn(stored, id) ? stored[id] : undefined;
    return isMark(mark) ? mark : undefined;
  }

  /** All marks in the order in which they were written, the oldest first. */
  private get entries(): readonly (readonly [id: string, mark: Mark])[] {
    return Object.entries(this.stored).filter((entry): entry is [string, Mark] => isMark(entry[1]));
  }

  /** The global state as VS Code returns it, which another version may have written. */
  private get stored(): Readonly<Record<string, unknown>> {
    const stored = this.state.get<unknown>(marksKey);
    return isRecord(stored) ? stored : {};
  }
}

function isMark(value: unknown): value is Mark {
  return value === 'signedOut' || typeof value === 'number';
}
