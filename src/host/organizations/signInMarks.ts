import type * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
import type { SetTimer } from '../../api/timers.js';
import { inTime } from '../inTime.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';

/** The revision of a sign-in, which grows with each change of its tokens; or that it is signed out, for good. */
type Mark = number | 'signedOut';

const marksKey = 'signInMarks';
const maxMarks = 100;

/**
 * What the windows of a profile tell each other about sign-ins, in VS Code's global state: a mark for each organization, by its
 * opaque ID. VS Code in the browser reads its secrets once for each tab and reports no change of another tab, but its
 * global state reaches all tabs within a second. VS Code reports no change of that either, so the marks are read before they count.
 */
export class SignInMarks {
  /** The newest revision that is not new here: as old as this window, made by it, or read from the keyring, also before its mark came. */
  private readonly seen = new Map<string, number>();
  /** IDs of what this window has signed out. */
  private readonly signedOutHere = new Set<string>();

  constructor(
    private readonly state: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly log: Pick<Log, 'warnOnce'>,
    private readonly setTimer: SetTimer,
  ) {
    for (const [id, mark] of this.all) if (typeof mark === 'number') this.seen.set(id, mark);
  }

  isSignedOut(id: string): boolean {
    return this.of(id) === 'signedOut';
  }

  /**
   * Whether a newer token than this one was saved. Version 0.2.0 wrote no revision: its token is older only if another window has
   * saved one since this one was opened.
   */
  isOlder(id: string, revision: number | undefined): boolean {
    const mark = this.of(id);
    return typeof mark === 'number' && (revision === undefined ? this.isNews(id) : mark > revision);
  }

  /** Whether another window has saved it since this one was opened, and this one has not read that. */
  isNews(id: string): boolean {
    const mark = this.of(id);
    return typeof mark === 'number' && mark > (this.seen.get(id) ?? -1);
  }

  /** Whether the keyring of this window lacks what a mark tells of. */
  isAheadOf(ids: ReadonlySet<string>, revisionOf: (id: string) => number | undefined): boolean {
    return this.all.some(
      ([id, mark]) => mark !== 'signedOut' && (!ids.has(id) || (revisionOf(id) ?? mark) < mark),
    );
  }

  /** IDs of the sign-ins that other windows have saved since this one was opened, and that it has never read. */
  get unseenIds(): readonly string[] {
    return this.all
      .filter(([id, mark]) => mark !== 'signedOut' && !this.seen.has(id))
      .map(([id]) => id);
  }

  nextRevision(id: string, latest = 0): number {
    const mark = this.of(id);
    return Math.max(latest, typeof mark === 'number' ? mark : 0) + 1;
  }

  /** The keyring of this window has this revision. */
  see(id: string, revision = 0): void {
    this.seen.set(id, Math.max(revision, this.seen.get(id) ?? 0));
  }

  /** The keyring of this window has the newest one, which version 0.2.0 has saved without a revision. */
  seeNewest(id: string): void {
    const mark = this.of(id);
    this.see(id, typeof mark === 'number' ? mark : 0);
  }

  /**
   * Tells the other windows, within 10 s. If that fails, they learn of it from the keyring alone. What is signed out stays so,
   * whichever mark comes later.
   */
  async tell(id: string, mark: Mark): Promise<void> {
    if (mark === 'signedOut') this.signedOutHere.add(id);
    else if (this.isSignedOut(id)) return;
    else this.see(id, mark);
    const others = this.all.filter(([other]) => other !== id);
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

  /** Each window writes all marks at once, so another one may have undone the newest of this one. */
  async tellAgain(): Promise<void> {
    const gone = [...this.signedOutHere].slice(-maxMarks).filter((id) => !this.isSignedOut(id));
    for (const id of gone) await this.tell(id, 'signedOut');
  }

  private of(id: string): Mark | undefined {
    const { stored } = this;
    const mark = Object.hasOwn(stored, id) ? stored[id] : undefined;
    return isMark(mark) ? mark : undefined;
  }

  private get all(): readonly (readonly [id: string, mark: Mark])[] {
    return Object.entries(this.stored).filter((entry): entry is [string, Mark] => isMark(entry[1]));
  }

  private get stored(): Readonly<Record<string, unknown>> {
    const stored = this.state.get<unknown>(marksKey);
    return isRecord(stored) ? stored : {};
  }
}

function isMark(value: unknown): value is Mark {
  return value === 'signedOut' || typeof value === 'number';
}
