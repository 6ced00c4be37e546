import type * as vscode from 'vscode';
import { isRecord } from '../../api/decode.js';
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
  /** Nothing new here: marks as old as this window, marks that it made, and marks of what it has read from the keyring. */
  private readonly seen: Map<string, Mark>;

  constructor(
    private readonly state: Pick<vscode.Memento, 'get' | 'update'>,
    private readonly log: Pick<Log, 'warn'>,
  ) {
    this.seen = new Map(this.all);
  }

  isSignedOut(id: string): boolean {
    return this.of(id) === 'signedOut';
  }

  /** Whether another window has saved a newer token than this one, since this window was opened. */
  isOlder(id: string, revision = 0): boolean {
    const mark = this.of(id);
    return typeof mark === 'number' && mark > revision && mark !== this.seen.get(id);
  }

  /** IDs of the sign-ins that other windows have saved since this one was opened, unless it has read them, too. */
  get unseenIds(): readonly string[] {
    return this.all.filter(([id, mark]) => mark !== 'signedOut' && mark !== this.seen.get(id)).map(([id]) => id);
  }

  nextRevision(id: string, latest = 0): number {
    const mark = this.of(id);
    return Math.max(latest, typeof mark === 'number' ? mark : 0) + 1;
  }

  /** The keyring of this window has this revision. */
  see(id: string, revision = 0): void {
    const mark = this.of(id);
    if (typeof mark === 'number' && mark <= revision) this.seen.set(id, mark);
  }

  /** Tells the other windows. If that fails, they learn of it from the keyring alone. */
  async tell(id: string, mark: Mark): Promise<void> {
    this.seen.set(id, mark);
    const others = this.all.filter(([other]) => other !== id);
    const newestLast = [...others.slice(1 - maxMarks), [id, mark]];
    try {
      await this.state.update(marksKey, Object.fromEntries(newestLast));
    } catch (error) {
      this.log.warn(`Other windows could not be told of the change of a sign-in: ${messageOf(error)}`);
    }
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
