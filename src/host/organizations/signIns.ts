import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { KnownSecrets } from '../../api/secrets.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import type { Clock } from '../../model/base/time.js';
import type { Action, UserError } from '../actions.js';
import { maxAnswerMs } from '../inTime.js';
import type { Log } from '../log.js';
import { messageOf, showErrorMessage, showMessage } from '../messages.js';
import { Serial } from '../serial.js';
import {
  changeRefused,
  changeRefusedLate,
  changeUnconfirmed,
  changeWithdrawn,
  keyringUnreadable,
  SignedOut,
  secretsOutdated,
} from './keyringErrors.js';
import {
  decodeOrganization,
  encodeOrganization,
  environmentId,
  type KeyringState,
  type StoredOrganization,
  tokensOf,
} from './organization.js';
import { SignInMarks } from './signInMarks.js';

const secretKeyPrefix = 'organization.';
const retryDelayMs = 15_000;

/**
 * The message about a change that the keyring confirms only after it was reported as unconfirmed.
 */
export interface LateMessage {
  readonly organizationName: string;
  /** "The sign-in to “Acme” was saved after all." */
  readonly sentence: string;
  readonly actions?: readonly Action[];
}

export interface SignInsOptions {
  /** Returns the ID of the organization that this workspace has chosen, if it has. */
  readonly chosenId: () => string | undefined;
  readonly clock: Pick<Clock, 'elapsed' | 'setTimer'>;
  /** In a browser each tab has a copy of all secrets, and writes the copy as a whole. */
  readonly isInBrowser: boolean;
}

/** Returns the sign-in as it is to be saved. `latest`: as the keyring has it, if it has it. */
export type ChangeSignIn = (latest: StoredOrganization | undefined) => StoredOrganization;

/** One change of the keyring, as `SignIns` performs it: prepare, write, adopt. */
interface KeyringChange<T> {
  /** Reads from the keyring what is needed, and returns the value to write. */
  readonly prepare: () => Promise<T>;
  /** Hands the value to the keyring. Resolves when the keyring has confirmed it. */
  readonly write: (value: T) => Thenable<void>;
  /** Makes the same change in memory, once the keyring has confirmed it. */
  readonly adopt: (value: T) => void;
}

/**
 * The sign-ins in the keyring (VS Code's secret storage) of this machine, one secret each. It reads
 * them again whenever a window changes one; if two windows change one at the same moment, the later
 * window wins. It performs one read of all sign-ins or one change at a time, because each may open
 * a prompt.
 * `Organizations` asks it. Version 0.2.0 also wrote an index of the IDs, `organizations`, which is
 * ignored and not deleted.
 */
export class SignIns extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly keyring: vscode.SecretStorage;
  private readonly marks: SignInMarks;
  private readonly queue = new Serial();
  private readonly firstRead: Promise<void>;
  /** `read` once a read of the keyring has succeeded, and from then on. */
  private readState: Exclude<KeyringState, 'waiting'> = 'loading';
  /** Whether the last read that ended was incomplete, because the keyring failed. */
  private didLastReadFail = false;
  /** A read that waits in the queue: it will see every change until it starts. */
  private queuedRead: Promise<void> | undefined;
  /** Reads again after a read that failed. */
  private retryTimer: Disposable | undefined;
  private readonly answerTimers = new Set<Disposable>();
  /** The requests to the keyring that have been unanswered for `maxAnswerMs`. */
  private readonly overdueWork = new Set<object>();
  /** By the clock's `elapsed`: when the first of the overdue requests began. */
  private overdueSinceMs = 0;
  /**
   * Whether another tab may have written back a secret that was deleted: when the window is opened,
   * and after each change of the keyring. Any other deletion would only write this tab's whole copy
   * of the secrets once more.
   */
  private mayDeleteAgain = true;
  /** IDs of secrets of signed-out organizations that this window has deleted once more. */
  private readonly deletedAgainIds = new Set<string>();

  /**
   * Fires when a read finds other sign-ins than before, when sign-ins are forgotten that another
   * window has signed out, when `state` changes, and when a change of this window takes effect
   * late. Its other changes do not fire it.
   */
  readonly onDidChange = this.changed.event;
  /** The sign-ins that could be read, by organization ID. */
  organizations: ReadonlyMap<string, StoredOrganization> = new Map();
  /**
   * Organization IDs of all sign-ins in the keyring, even if they cannot be read; `undefined` while
   * the keyring cannot list them.
   */
  storedIds: ReadonlySet<string> | undefined;

  constructor(
    context: Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>,
    private readonly log: Pick<Log, 'info' | 'warn' | 'warnOnce' | 'error'>,
    private readonly secrets: Pick<KnownSecrets, 'add' | 'redact'>,
    private readonly options: SignInsOptions,
  ) {
    super();
    this.keyring = context.secrets;
    this.marks = new SignInMarks(context.globalState, log, options.clock.setTimer);
    this.own(
      this.keyring.onDidChange(() => {
        this.mayDeleteAgain = true;
        void this.readAgain();
      }),
    );
    this.own({ dispose: () => this.stopTimers() });
    this.firstRead = this.readAgain();
  }

  get state(): KeyringState {
    return this.isKeyringWaiting && this.readState !== 'read' ? 'waiting' : this.readState;
  }

  /**
   * Whether the keyring has not answered a request in time, even if it was read before: until it
   * answers, nothing else is requested.
   */
  get isKeyringWaiting(): boolean {
    return this.overdueWork.size > 0;
  }

  /**
   * Resolves when the keyring is read, and after 10 s in any case. Reads an unreadable one again.
   */
  get ready(): Promise<void> {
    if (this.isKeyringWaiting) return Promise.resolve();
    return this.readState === 'unreadable' ? this.readAgain() : this.firstRead;
  }

  /**
   * Forgets the sign-ins that another window has signed out, although the keyring of this window
   * may still have them.
   */
  forgetSignedOutElsewhere(): void {
    const ids = [...this.organizations.keys(), ...(this.storedIds ?? [])];
    if (!ids.some((id) => this.marks.isSignedOut(id))) return;
    this.update(() => this.keepSignedIn(this.storedIds, this.organizations));
  }

  /**
   * Forgets the sign-ins that another window has signed out, and reads the keyring again if another
   * window has saved tokens that this window does not have.
   */
  async readOtherWindowsChanges(): Promise<void> {
    this.forgetSignedOutElsewhere();
    const isBehind =
      this.lacksSignInOfOtherWindow || this.readIds.some((id) => this.hasOldToken(id));
    if (isBehind && !this.isKeyringWaiting) await this.readAgain();
  }

  /** Marks the sign-outs of this window once more if other windows have overwritten the marks. */
  republishSignOuts(): Promise<void> {
    return this.marks.republishSignOuts();
  }

  /**
   * Whether another window has signed in to an organization that the keyring of this window does
   * not have.
   */
  get lacksSignInOfOtherWindow(): boolean {
    const { readState, storedIds } = this;
    if (readState !== 'read' || storedIds === undefined) return false;
    return this.marks.unseenIds.some((id) => !storedIds.has(id));
  }

  /** IDs of the sign-ins that other windows have saved, and that this window may not have. */
  get unseenIds(): readonly string[] {
    return this.marks.unseenIds;
  }

  /** Whether another window has changed the tokens that this window has. */
  hasOldToken(id: string): boolean {
    const organization = this.organizations.get(id);
    return organization !== undefined && this.marks.isOlder(id, organization.revision);
  }

  /**
   * What helps if this window has old tokens: unlocking the keyring, reloading the window, or a new
   * sign-in. `signIn`: this window was opened with the old tokens, so the newest may be lost.
   */
  helpForOldToken(id: string): 'unlock' | 'reload' | 'signIn' {
    if (this.didLastReadFail) return 'unlock';
    return this.marks.isUnseen(id) ? 'reload' : 'signIn';
  }

  /**
   * Saves the sign-in that `changeSignIn` makes, and returns it. Rejects if the keyring refuses it
   * or has not got it in time (then nothing is changed), and if the keyring does not confirm it in
   * time (then `late` is shown once it does).
   */
  write(id: string, changeSignIn: ChangeSignIn, late: LateMessage): Promise<StoredOrganization> {
    const prepare = async () => {
      const latest = await this.readOrganization(id);
      if (this.marks.isSignedOut(id)) throw new SignedOut();
      const changed = changeSignIn(latest);
      return { ...changed, revision: this.marks.nextRevision(id, latest?.revision) };
    };
    const write = (organization: StoredOrganization) => {
      // The keyring's error may repeat the tokens, so they count as secrets before the keyring gets
      // them.
      this.addToSecrets(organization);
      return this.keyring.store(secretKeyPrefix + id, encodeOrganization(organization));
    };
    const adopt = (organization: StoredOrganization & { readonly revision: number }) => {
      void this.marks.publish(id, organization.revision);
      if (this.storedIds) this.storedIds = new Set([...this.storedIds, id]);
      this.organizations = new Map(this.organizations).set(id, organization);
    };
    return this.changeKeyring({ prepare, write, adopt }, late);
  }

  /**
   * Resolves once the sign-in is deleted, and the other windows have been informed. Rejects if the
   * keyring refuses it or does not confirm it in time, as `write` does.
   */
  async delete(id: string, late: LateMessage): Promise<void> {
    let published = Promise.resolve();
    const write = () => this.keyring.delete(secretKeyPrefix + id);
    const adopt = () => {
      published = this.marks.publish(id, 'signedOut');
      if (this.storedIds) this.storedIds = setWithout(this.storedIds, id);
      this.organizations = mapWithout(this.organizations, id);
    };
    await this.changeKeyring({ prepare: () => Promise.resolve(), write, adopt }, late);
    await published;
  }

  /** IDs of the sign-ins that could be read. */
  private get readIds(): readonly string[] {
    return [...this.organizations.keys()];
  }

  /**
   * Whether this is a tab of a browser where a write would undo what other tabs have done since
   * this tab has read its copy of the secrets. Tokens that were old when this window was opened
   * prevent no write: only another sign-in helps then.
   */
  private get wouldUndoOtherTabs(): boolean {
    if (!this.options.isInBrowser) return false;
    if (this.lacksSignInOfOtherWindow) return true;
    return this.readIds.some((id) => this.hasOldToken(id) && this.marks.isUnseen(id));
  }

  /**
   * Prepares the change when the queue reaches it, writes it, and adopts it. A change that the
   * keyring has not got within 10 s is withdrawn for good. A change that the keyring has got, and
   * does not confirm within 10 s, may still take effect: a message reports its end.
   */
  private async changeKeyring<T>(change: KeyringChange<T>, late: LateMessage): Promise<T> {
    if (this.isKeyringWaiting) throw changeWithdrawn();
    let isWithdrawn = false;
    let isReportedUnconfirmed = false;
    const stopIfWithdrawn = (): void => {
      if (isWithdrawn) throw changeWithdrawn();
    };

    // `confirmed` is in an object, because a promise that resolves with it would wait for it.
    const handingOver = new Promise<{ readonly confirmed: Promise<T> }>((resolve, reject) => {
      const runInQueue = async (): Promise<void> => {
        stopIfWithdrawn();
        if (this.wouldUndoOtherTabs) await this.readAll();
        const value = await change.prepare();
        stopIfWithdrawn();
        if (this.wouldUndoOtherTabs) throw secretsOutdated();

        const written = this.tryToWrite(
          () => change.write(value),
          () => (isReportedUnconfirmed ? late.organizationName : undefined),
        );
        const confirmed = written.then(() => change.adopt(value)).then(() => value);
        resolve({ confirmed });
        await confirmed;
      };
      this.queue.run(runInQueue).catch(reject);
    });
    const { confirmed } = await this.withinAnswerTime(handingOver, () => {
      isWithdrawn = true;
      throw changeWithdrawn();
    });

    return this.withinAnswerTime(confirmed, () => {
      isReportedUnconfirmed = true;
      confirmed.then(() => this.reportLateSuccess(late), reportLateRefusal);
      throw changeUnconfirmed(late.organizationName);
    });
  }

  private reportLateSuccess({ sentence, actions = [] }: LateMessage): void {
    this.changed.fire();
    showMessage(sentence, ...actions);
  }

  /**
   * Resolves or rejects as `work` does if it ends within 10 s. Otherwise resolves or rejects with
   * what `onTimeout` returns or throws; until `work` ends, the keyring counts as waiting.
   */
  private withinAnswerTime<T>(work: Promise<T>, onTimeout: () => T): Promise<T> {
    const { elapsed, setTimer } = this.options.clock;
    const startedMs = elapsed();
    return new Promise((resolve, reject) => {
      const timer = setTimer(() => {
        this.update(() => this.addOverdue(work, startedMs));
        try {
          resolve(onTimeout());
        } catch (error) {
          reject(error);
        }
      }, maxAnswerMs);
      this.answerTimers.add(timer);

      const stopWaiting = (): void => {
        timer.dispose();
        this.answerTimers.delete(timer);
        this.update(() => this.removeOverdue(work));
      };
      work.finally(stopWaiting).then(resolve, reject);
    });
  }

  private addOverdue(work: object, startedMs: number): void {
    if (!this.isKeyringWaiting) {
      this.overdueSinceMs = startedMs;
      this.log.warn(`The keyring has not answered for ${maxAnswerMs / 1000} s.`);
    }
    this.overdueWork.add(work);
  }

  private removeOverdue(work: object): void {
    const wasOverdue = this.overdueWork.delete(work);
    if (!wasOverdue || this.isKeyringWaiting) return;
    const seconds = Math.round((this.options.clock.elapsed() - this.overdueSinceMs) / 1000);
    this.log.info(`The keyring answered after ${seconds} s.`);
  }

  private stopTimers(): void {
    this.retryTimer?.dispose();
    for (const timer of this.answerTimers) timer.dispose();
  }

  /**
   * Runs `change`, and fires `onDidChange` if the state, the sign-ins, or their IDs differ
   * afterwards.
   */
  private update(change: () => void): void {
    const before = [this.state, this.organizations, this.storedIds];
    change();
    const after = [this.state, this.organizations, this.storedIds];
    if (!isDeepStrictEqual(after, before)) this.changed.fire();
  }

  /** Resolves when all is read, or after 10 s: then reading goes on. Shares a read that waits. */
  private readAgain(): Promise<void> {
    this.queuedRead ??= this.withinAnswerTime(
      this.queue.run(() => {
        this.queuedRead = undefined;
        return this.readAll();
      }),
      () => undefined,
    );
    return this.queuedRead;
  }

  /**
   * Reads all sign-ins, and reads again after `retryDelayMs` if the keyring fails. Never rejects.
   */
  private async readAll(): Promise<void> {
    const listedIds = await this.listIds();
    const idsToRead = listedIds ?? this.idsToReadUnlisted();
    const found = new Map<string, StoredOrganization>();
    let isComplete = true;
    const readOne = async (id: string): Promise<void> => {
      let organization: StoredOrganization | undefined;
      try {
        organization = await this.readOrganization(id);
        if (organization) this.markSeen(organization);
      } catch {
        isComplete = false;
        // A keyring that fails for a moment must not sign the user out.
        organization = this.organizations.get(id);
      }
      if (organization) found.set(id, organization);
    };
    await Promise.all(Array.from(idsToRead, readOne));

    for (const organization of found.values()) this.addToSecrets(organization);
    for (const id of listedIds ?? []) this.marks.markSeen(id);
    this.didLastReadFail = !isComplete;
    this.deleteAgain(listedIds, found);

    this.retryTimer?.dispose();
    if (!isComplete) {
      const { setTimer } = this.options.clock;
      this.retryTimer = setTimer(() => {
        void this.readAgain();
      }, retryDelayMs);
    }

    this.update(() => {
      this.keepSignedIn(listedIds, found);
      if (isComplete) this.readState = 'read';
      else if (this.readState === 'loading') this.readState = 'unreadable';
    });
  }

  /**
   * The IDs to read if the keyring cannot list its own. Without a choice of the workspace, the ID
   * of the environment, which is never stored, shows whether the keyring can be read.
   */
  private idsToReadUnlisted(): ReadonlySet<string> {
    return new Set([...this.organizations.keys(), this.options.chosenId() ?? environmentId]);
  }

  private markSeen({ id, revision }: StoredOrganization): void {
    // Version 0.2.0 leaves no revision. In a browser, its sign-in may be an old copy instead.
    if (revision === undefined && !this.options.isInBrowser) this.marks.markNewestSeen(id);
    else this.marks.markSeen(id, revision);
  }

  private addToSecrets(organization: StoredOrganization): void {
    for (const token of tokensOf(organization)) this.secrets.add(token);
  }

  /** Sets the sign-ins and their IDs, without those that another window has signed out. */
  private keepSignedIn(
    ids: ReadonlySet<string> | undefined,
    organizations: ReadonlyMap<string, StoredOrganization>,
  ): void {
    const isSignedIn = (id: string): boolean => !this.marks.isSignedOut(id);
    this.storedIds = ids && new Set([...ids].filter(isSignedIn));
    this.organizations = new Map([...organizations].filter(([id]) => isSignedIn(id)));
  }

  /**
   * Deletes the sign-ins that a window had signed out, and that a tab with an old copy has written
   * back. A failure is only logged. Deletes nothing while this tab's own copy of the secrets is
   * visibly old: the deletion would write that copy, and the mark stops its use anyway.
   */
  private deleteAgain(
    listedIds: ReadonlySet<string> | undefined,
    found: ReadonlyMap<string, StoredOrganization>,
  ): void {
    const mayDelete = this.mayDeleteAgain;
    this.mayDeleteAgain = false;
    if (!mayDelete || this.isOldCopy(listedIds, found)) return;

    const ids = [...(listedIds ?? found.keys())];
    const signedOutIds = ids.filter((id) => this.marks.isSignedOut(id));
    for (const id of signedOutIds) {
      if (this.deletedAgainIds.has(id)) continue;
      this.deletedAgainIds.add(id);
      const remove = () => this.keyring.delete(secretKeyPrefix + id);
      const deletion = this.queue
        .run(() => this.tryToWrite(remove, () => undefined))
        .catch(() => undefined);
      void this.withinAnswerTime(deletion, () => undefined);
    }
  }

  /**
   * Whether this is a tab of a browser whose copy of the secrets lacks changes, or may lack some.
   */
  private isOldCopy(
    listedIds: ReadonlySet<string> | undefined,
    found: ReadonlyMap<string, StoredOrganization>,
  ): boolean {
    if (!this.options.isInBrowser) return false;
    return !listedIds || this.marks.isAheadOf(listedIds, (id) => found.get(id)?.revision);
  }

  /**
   * Returns the organization IDs of all secrets; `undefined` if the keyring fails, or if the host
   * of a VS Code in a browser has no `keys`.
   */
  private async listIds(): Promise<ReadonlySet<string> | undefined> {
    try {
      const keys = await this.keyring.keys();
      const signInKeys = keys.filter((key) => key.startsWith(secretKeyPrefix));
      return new Set(signInKeys.map((key) => key.slice(secretKeyPrefix.length)));
    } catch (error) {
      this.log.warnOnce(`The sign-ins in the keyring could not be listed: ${messageOf(error)}`);
      return undefined;
    }
  }

  /**
   * Returns `undefined` if the sign-in was never stored, is deleted, or is damaged. Rejects if the
   * keyring fails, because it may have the sign-in.
   */
  private async readOrganization(id: string): Promise<StoredOrganization | undefined> {
    let text: string | undefined;
    try {
      text = await this.keyring.get(secretKeyPrefix + id);
    } catch (error) {
      this.log.warnOnce(`The keyring could not be read: ${messageOf(error)}`);
      throw keyringUnreadable();
    }
    if (text === undefined) return undefined;
    const organization = decodeOrganization(id, text);
    if (!organization) {
      this.log.warnOnce(`The sign-in ${id} in the keyring is damaged and ignored. Sign in again.`);
    }
    return organization;
  }

  /**
   * Rejects with the keyring's reason. `reportedName` is called then: it returns the organization's
   * name if the user has already read that the change is unconfirmed.
   */
  private async tryToWrite(
    write: () => Thenable<void>,
    reportedName: () => string | undefined,
  ): Promise<void> {
    try {
      await write();
    } catch (error) {
      const message = messageOf(error);
      this.log.error(`The keyring refused to write: ${message}`);
      // The message may repeat the token that the keyring was to store.
      const reason = this.secrets.redact(message).replace(/\.$/, '');
      const organizationName = reportedName();
      throw organizationName === undefined
        ? changeRefused(reason)
        : changeRefusedLate(reason, organizationName);
    }
  }
}

function reportLateRefusal(error: UserError): void {
  showErrorMessage(error.message, error.actions);
}

function setWithout<T>(set: ReadonlySet<T>, removed: T): ReadonlySet<T> {
  return new Set([...set].filter((value) => value !== removed));
}

function mapWithout<V>(map: ReadonlyMap<string, V>, removed: string): ReadonlyMap<string, V> {
  return new Map([...map].filter(([key]) => key !== removed));
}
