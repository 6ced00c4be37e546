import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { type Clock, systemClock } from '../../model/base/time.js';
import {
  type Action,
  chooseOrganizationAction,
  reloadWindowAction,
  showLogAction,
  signInAction,
  UserError,
} from '../actions.js';
import { maxAnswerMs } from '../inTime.js';
import type { Log } from '../log.js';
import { messageOf, showErrorMessage, showMessage } from '../messages.js';
import { Serial } from '../serial.js';
import {
  decodeOrganization,
  encodeOrganization,
  environmentId,
  type KeyringState,
  type StoredOrganization,
  tokensOf,
} from './organization.js';
import { SignInMarks } from './signInMarks.js';

const prefix = 'organization.';
const retryMs = 15_000;

/** What messages say of a change that the keyring confirms late. */
export interface LateWords {
  /** The organization's name. */
  readonly name: string;
  /** "The sign-in to “Acme” was saved after all." */
  readonly done: string;
  readonly actions?: readonly Action[];
}

/**
 * The sign-ins of this machine, read again whenever a window changes one. Of two windows that do so at the same moment the later one
 * wins. The keyring is asked one thing after the other, since each may put up a prompt. Version 0.2.0 also wrote an index of their
 * ids, `organizations`, which is ignored and left as it is.
 */
export class SignIns extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly keyring: vscode.SecretStorage;
  private readonly marks: SignInMarks;
  private readonly queue = new Serial();
  private readonly firstReading: Promise<void>;
  /** What the reading that ended last came to. */
  private found: Exclude<KeyringState, 'waiting'> = 'loading';
  /** Whether the reading that ended last failed. `found` stays `read` after an earlier one that did not. */
  private isFailing = false;
  /** A reading that has not begun: it will see whatever changes until then. */
  private nextReading: Promise<void> | undefined;
  private retry: Disposable | undefined;
  private readonly timers = new Set<Disposable>();
  /** Each answer that has been due for `maxAnswerMs`. */
  private readonly overdue = new Set<object>();
  /** On the clock's `elapsed`: when the first of them was asked for. */
  private overdueSince = 0;
  /**
   * Whether another tab may have written back a secret that was deleted: when the window is opened, and after each change
   * of the keyring. Any other deletion would only write this tab's whole copy of the secrets once more.
   */
  private mayDelete = true;
  /** Ids whose secrets another window had deleted, and which this one has deleted once more. */
  private readonly deletedAgain = new Set<string>();

  /** Another window changed something, or the keyring can be read again, or waits, or has answered late. */
  readonly onDidChange = this.changed.event;
  known: ReadonlyMap<string, StoredOrganization> = new Map();
  /** Ids of all secrets, also of those that can't be read; `undefined` where they can't be listed. */
  ids: ReadonlySet<string> | undefined;

  constructor(
    context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>,
    private readonly log: Pick<Log, 'info' | 'warn' | 'warnOnce' | 'error'>,
    private readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>,
    private readonly chosen: () => string | undefined,
    private readonly clock: Pick<Clock, 'elapsed' | 'setTimer'> = systemClock,
    /** In a browser each tab has a copy of all secrets, and writes it as a whole. */
    private readonly isInBrowser = vscode.env.uiKind === vscode.UIKind.Web,
  ) {
    super();
    this.keyring = context.secrets;
    this.marks = new SignInMarks(context.globalState, log, clock.setTimer);
    this.own(
      this.keyring.onDidChange(() => {
        this.mayDelete = true;
        void this.readAgain();
      }),
    );
    this.own({ dispose: () => this.stopTimers() });
    this.firstReading = this.readAgain();
  }

  get state(): KeyringState {
    return this.isWaiting && this.found !== 'read' ? 'waiting' : this.found;
  }

  /** Whether it has not answered in time what it was asked, also after it has been read: nothing else is asked meanwhile. */
  get isWaiting(): boolean {
    return this.overdue.size > 0;
  }

  /** Resolves when all is read, or after 10 s. An unreadable keyring is read once more. */
  get ready(): Promise<void> {
    if (this.isWaiting) return Promise.resolve();
    return this.found === 'unreadable' ? this.readAgain() : this.firstReading;
  }

  /** Forgets what another window has signed out, although the keyring of this one may still have it. */
  followMarks(): void {
    const all = [...this.known.keys(), ...(this.ids ?? [])];
    if (all.some((id) => this.marks.isSignedOut(id)))
      this.apply(() => this.hold(this.ids, this.known));
  }

  /** As `followMarks`, and reads the keyring again where the marks tell of a token that this window does not have. */
  async readMarked(): Promise<void> {
    this.followMarks();
    const isBehind = this.lacksSignIn || [...this.known.keys()].some((id) => this.hasOldToken(id));
    if (isBehind && !this.isWaiting) await this.readAgain();
  }

  /** Tells the other windows once more what this one has signed out, where they have undone its mark. */
  tellAgain(): Promise<void> {
    return this.marks.tellAgain();
  }

  /** Whether another window has signed in to an organization that the keyring of this one does not have. */
  get lacksSignIn(): boolean {
    const { found, ids } = this;
    return found === 'read' && ids !== undefined && this.marks.unseenIds.some((id) => !ids.has(id));
  }

  /** IDs of what other windows have signed in to, which this one may not have. */
  get unseenIds(): readonly string[] {
    return this.marks.unseenIds;
  }

  /** Whether another window has changed the tokens that this one has. */
  hasOldToken(id: string): boolean {
    const known = this.known.get(id);
    return known !== undefined && this.marks.isOlder(id, known.revision);
  }

  /**
   * What helps where this window has old tokens. `signIn`: they were as old when it was opened, so that the newest may be lost.
   */
  helpForOldToken(id: string): 'unlock' | 'reload' | 'signIn' {
    if (this.isFailing) return 'unlock';
    return this.marks.isNews(id) ? 'reload' : 'signIn';
  }

  /**
   * Writes what `change` makes of the sign-in as the keyring has it now. Rejects with what the keyring said, and then nothing is
   * changed; and if the keyring does not answer.
   */
  write(
    id: string,
    change: (latest: StoredOrganization | undefined) => StoredOrganization,
    late: LateWords,
  ): Promise<StoredOrganization> {
    const prepare = async () => {
      const latest = await this.read(id);
      if (this.marks.isSignedOut(id)) throw new SignedOut();
      return { ...change(latest), revision: this.marks.nextRevision(id, latest?.revision) };
    };
    const hand = (organization: StoredOrganization) => {
      // Redacted before the keyring gets them, since its error may repeat them.
      for (const token of tokensOf(organization)) this.secrets.add(token);
      return this.keyring.store(prefix + id, encodeOrganization(organization));
    };
    const adopt = (organization: StoredOrganization & { readonly revision: number }) => {
      void this.marks.tell(id, organization.revision);
      this.ids &&= new Set([...this.ids, id]);
      this.known = new Map(this.known).set(id, organization);
    };
    return this.change({ prepare, hand, adopt }, late);
  }

  /** Resolves once the other windows can know, too. */
  async delete(id: string, late: LateWords): Promise<void> {
    let told = Promise.resolve();
    const adopt = () => {
      told = this.marks.tell(id, 'signedOut');
      this.ids &&= new Set([...this.ids].filter((other) => other !== id));
      this.known = new Map([...this.known].filter(([other]) => other !== id));
    };
    const hand = () => this.keyring.delete(prefix + id);
    await this.change({ prepare: () => Promise.resolve(), hand, adopt }, late);
    await told;
  }

  /**
   * In a browser, a write would undo what other tabs have done since this one has read its copy of the secrets. Tokens that were
   * old already when this window was opened stop none: only another sign-in helps then.
   */
  private get wouldUndo(): boolean {
    if (!this.isInBrowser) return false;
    return (
      this.lacksSignIn ||
      [...this.known.keys()].some((id) => this.hasOldToken(id) && this.marks.isNews(id))
    );
  }

  /**
   * What the keyring does not get in 10 s is withdrawn for good. What it has, and does not confirm in 10 s, may still take
   * effect: a message says so when it ends.
   */
  private async change<T>({ prepare, hand, adopt }: Change<T>, late: LateWords): Promise<T> {
    if (this.isWaiting) throw withdrawn();
    let isWithdrawn = false;
    let isLate = false;
    const stopIfWithdrawn = (): void => {
      if (isWithdrawn) throw withdrawn();
    };
    // `end` is in an object, because a promise that resolves with it would wait for it.
    const handing = new Promise<{ readonly end: Promise<T> }>((resolve, reject) => {
      const inTurn = async (): Promise<void> => {
        stopIfWithdrawn();
        if (this.wouldUndo) await this.load();
        const value = await prepare();
        stopIfWithdrawn();
        if (this.wouldUndo) throw oldCopy();
        const confirmed = this.attempt(
          () => hand(value),
          () => (isLate ? late.name : undefined),
        );
        const end = confirmed.then(() => adopt(value)).then(() => value);
        resolve({ end });
        await end;
      };
      this.queue.run(inTurn).catch(reject);
    });
    const { end } = await this.orWaiting(handing, () => {
      isWithdrawn = true;
      throw withdrawn();
    });
    return this.orWaiting(end, () => {
      isLate = true;
      end.then(() => this.tellLate(late), tellRefused);
      throw unconfirmed(late.name);
    });
  }

  private tellLate({ done, actions = [] }: LateWords): void {
    this.changed.fire();
    showMessage(done, ...actions);
  }

  /** Settles as the work does; after 10 s as `tooLate` does, and the keyring is waiting until the work ends. */
  private orWaiting<T>(work: Promise<T>, tooLate: () => T): Promise<T> {
    const { elapsed, setTimer } = this.clock;
    const begun = elapsed();
    return new Promise((resolve, reject) => {
      const timer = setTimer(() => {
        this.apply(() => this.addOverdue(work, begun));
        try {
          resolve(tooLate());
        } catch (error) {
          reject(error);
        }
      }, maxAnswerMs);
      this.timers.add(timer);
      const ended = (): void => {
        timer.dispose();
        this.timers.delete(timer);
        this.apply(() => this.removeOverdue(work));
      };
      work.finally(ended).then(resolve, reject);
    });
  }

  private addOverdue(work: object, begun: number): void {
    if (!this.isWaiting) {
      this.overdueSince = begun;
      this.log.warn(`The keyring has not answered for ${maxAnswerMs / 1000} s.`);
    }
    this.overdue.add(work);
  }

  private removeOverdue(work: object): void {
    if (!this.overdue.delete(work) || this.isWaiting) return;
    const seconds = Math.round((this.clock.elapsed() - this.overdueSince) / 1000);
    this.log.info(`The keyring answered after ${seconds} s.`);
  }

  private stopTimers(): void {
    this.retry?.dispose();
    for (const timer of this.timers) timer.dispose();
  }

  /** Fires if this changes what is known. */
  private apply(change: () => void): void {
    const before = [this.state, this.known, this.ids];
    change();
    if (!isDeepStrictEqual([this.state, this.known, this.ids], before)) this.changed.fire();
  }

  /** Resolves when all is read, or after 10 s: then the reading goes on. */
  private readAgain(): Promise<void> {
    this.nextReading ??= this.orWaiting(
      this.queue.run(() => {
        this.nextReading = undefined;
        return this.load();
      }),
      () => undefined,
    );
    return this.nextReading;
  }

  private async load(): Promise<void> {
    const ids = await this.listIds();
    // Without a choice the name of the one that is never stored is looked up: the keyring may work although it lists nothing.
    const lookedUp = ids ?? new Set([...this.known.keys(), this.chosen() ?? environmentId]);
    const found = new Map<string, StoredOrganization>();
    let isRead = true;
    const reads = Array.from(lookedUp, async (id) => {
      let organization: StoredOrganization | undefined;
      try {
        organization = await this.read(id);
        if (organization) this.see(organization);
      } catch {
        isRead = false;
        // A keyring that fails for a moment signs the user out of nothing.
        organization = this.known.get(id);
      }
      if (organization) found.set(id, organization);
    });
    await Promise.all(reads);
    for (const token of [...found.values()].flatMap(tokensOf)) this.secrets.add(token);
    for (const id of ids ?? []) this.marks.see(id);
    this.isFailing = !isRead;
    this.deleteAgain(ids, found);
    this.retry?.dispose();
    if (!isRead) this.retry = this.clock.setTimer(() => void this.readAgain(), retryMs);
    this.apply(() => {
      this.hold(ids, found);
      if (isRead) this.found = 'read';
      else if (this.found === 'loading') this.found = 'unreadable';
    });
  }

  private see({ id, revision }: StoredOrganization): void {
    // Version 0.2.0 leaves no mark. In a browser this may be an old copy instead.
    if (revision === undefined && !this.isInBrowser) this.marks.seeNewest(id);
    else this.marks.see(id, revision);
  }

  /** Without what another window has signed out. */
  private hold(
    ids: ReadonlySet<string> | undefined,
    known: ReadonlyMap<string, StoredOrganization>,
  ): void {
    this.ids = ids && new Set([...ids].filter((id) => !this.marks.isSignedOut(id)));
    this.known = new Map([...known].filter(([id]) => !this.marks.isSignedOut(id)));
  }

  /**
   * Deletes what another window had signed out, and a tab that still had it has written back. A failure is only logged. Where the
   * tab's copy of the secrets is visibly old it stays: the deletion would write that copy, and its mark already stops its use.
   */
  private deleteAgain(
    ids: ReadonlySet<string> | undefined,
    found: ReadonlyMap<string, StoredOrganization>,
  ): void {
    const marked = [...(ids ?? found.keys())].filter((id) => this.marks.isSignedOut(id));
    const again = this.mayDelete ? marked.filter((id) => !this.deletedAgain.has(id)) : [];
    this.mayDelete = false;
    if (this.isInBrowser && (!ids || this.marks.isAheadOf(ids, (id) => found.get(id)?.revision)))
      return;
    for (const id of again) {
      this.deletedAgain.add(id);
      const hand = () => this.keyring.delete(prefix + id);
      const deletion = this.queue
        .run(() => this.attempt(hand, () => undefined))
        .catch(() => undefined);
      void this.orWaiting(deletion, () => undefined);
    }
  }

  /** `undefined`: the keyring fails, or the host of a VS Code in the browser has no `keys`. */
  private async listIds(): Promise<ReadonlySet<string> | undefined> {
    try {
      const keys = await this.keyring.keys();
      return new Set(
        keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length)),
      );
    } catch (error) {
      this.log.warnOnce(`The sign-ins in the keyring could not be listed: ${messageOf(error)}`);
      return undefined;
    }
  }

  /** `undefined`: never stored, deleted, or damaged. Rejects if the keyring fails: whether it holds the sign-in is not known. */
  private async read(id: string): Promise<StoredOrganization | undefined> {
    let text: string | undefined;
    try {
      text = await this.keyring.get(prefix + id);
    } catch (error) {
      this.log.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      throw keyringUnreadable();
    }
    const organization = text === undefined ? undefined : decodeOrganization(id, text);
    if (text !== undefined && !organization) {
      this.log.warnOnce(`The sign-in ${id} in the keyring is damaged and ignored. Sign in again.`);
    }
    return organization;
  }

  /** `lateFor`: the organization's name, if the user has been told that the change is not confirmed. */
  private async attempt(
    write: () => Thenable<void>,
    lateFor: () => string | undefined,
  ): Promise<void> {
    try {
      await write();
    } catch (error) {
      const reason = messageOf(error);
      this.log.error(`The keyring refused to write: ${reason}`);
      // It may repeat the token that it was to keep.
      throw refused(this.secrets.redact(reason).replace(/\.$/, ''), lateFor());
    }
  }
}

interface Change<T> {
  /** Reads what the change is made of. */
  readonly prepare: () => Promise<T>;
  /** Gives it to the keyring. */
  readonly hand: (value: T) => Thenable<void>;
  /** Follows in memory, once the keyring has confirmed it. */
  readonly adopt: (value: T) => void;
}

function refused(reason: string, lateFor: string | undefined): UserError {
  const sentence =
    lateFor === undefined
      ? vscode.l10n.t(
          'Nothing was changed, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
          { reason },
        )
      : vscode.l10n.t(
          'Nothing was changed for “{name}” after all, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
          { name: lateFor, reason },
        );
  return new UserError(sentence, [showLogAction]);
}

function oldCopy(): UserError {
  return new UserError(
    vscode.l10n.t(
      'Nothing was changed, because another window has changed sign-ins since this window was loaded. Reload this window, then try again.',
    ),
    [reloadWindowAction()],
  );
}

/** Says that an organization is signed out, perhaps in another window, so that nothing was done with it. */
export class SignedOut extends UserError {
  constructor() {
    const sentence = vscode.l10n.t(
      'This organization is signed out. Choose another one or sign in again.',
    );
    super(sentence, [signInAction(), chooseOrganizationAction]);
  }
}

function tellRefused(error: UserError): void {
  showErrorMessage(error.message, error.actions);
}

export function keyringUnreadable(): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage cannot be read. Unlock the keyring or set one up; reading is retried automatically.',
    ),
    [showLogAction],
  );
}

const seconds = String(maxAnswerMs / 1000);

export function keyringWaiting(): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage has not answered for {seconds} seconds. If a prompt asks to unlock the keyring, answer it; otherwise, unlock the keyring or reload the window.',
      { seconds },
    ),
    [reloadWindowAction(), showLogAction],
  );
}

/** Of a change that the keyring has not got, and will not get. */
function withdrawn(): UserError {
  return new UserError(
    vscode.l10n.t(
      'Nothing was changed, because VS Code’s secret storage has not answered for {seconds} seconds. If a prompt asks to unlock the keyring, answer it; otherwise, unlock the keyring or reload the window. Then try again.',
      { seconds },
    ),
    [reloadWindowAction(), showLogAction],
  );
}

/** Of a change that the keyring has got. */
function unconfirmed(name: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage has not confirmed the change for “{name}” for {seconds} seconds. It may still take effect: a message will say what happened. If a prompt asks to unlock the keyring, answer it.',
      { name, seconds },
    ),
    [showLogAction],
  );
}
