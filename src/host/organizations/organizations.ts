import * as vscode from 'vscode';
import type { Target } from '../../api/call.js';
import { decoded, parseBaseUrl } from '../../api/entered/baseUrl.js';
import type { KnownSecrets } from '../../api/secrets.js';
import type { SetTimer } from '../../api/timers.js';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import type { Disposable } from '../../model/base/emitter.js';
import { type Clock, systemClock } from '../../model/base/time.js';
import {
  reloadWindowAction,
  signInAction,
  signOutAction,
  switchOrganizationAction,
  UserError,
} from '../actions.js';
import type { Log } from '../log.js';
import { showMessage, withSpinner } from '../messages.js';
import {
  environmentOrganization,
  environmentToken,
  environmentVariables,
} from '../text/environment.js';
import { joinSentences } from '../text/format.js';
import { hostOf } from '../text/organization.js';
import {
  chooseOrganization,
  environmentId,
  inOrder,
  type NoOrganization,
  type Organization,
  type StoredOrganization,
  sameName,
  tokensOf,
  withoutTokens,
} from './organization.js';
import {
  keyringUnreadable,
  keyringWaiting,
  type LateWords,
  SignedOut,
  SignIns,
} from './signIns.js';

export type SignIn = Pick<StoredOrganization, 'name' | 'baseUrl' | 'token'>;

const chosenKey = 'organization';
const maxOrganizationNameChars = 100;
/** Within which a change of another window arrives: 0.1 to 0.5 s were measured. */
const arrivalMs = 2000;

export class Organizations extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly environment: StoredOrganization | undefined;
  private readonly signIns: SignIns;
  private readonly setTimer: SetTimer;
  private chosen: string | undefined;
  /** What `lacksSignIn` was when it was last told. */
  private lackedSignIn = false;
  /** Resolves when this window knows what others did before it got the focus. */
  caughtUp: Promise<void> = Promise.resolve();
  private readonly timers = new Set<Disposable>();
  /** IDs of the organizations of whose replaced token the user has been told. */
  private readonly toldOfToken = new Set<string>();

  /** The list, the current one, or a token changed; also when another window did it. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly context: Pick<
      vscode.ExtensionContext,
      'secrets' | 'workspaceState' | 'globalState'
    >,
    private readonly log: Pick<Log, 'info' | 'warn' | 'warnOnce' | 'error'>,
    secrets: KnownSecrets,
    env: NodeJS.ProcessEnv = process.env,
    clock: Pick<Clock, 'elapsed' | 'setTimer'> = systemClock,
    isInBrowser?: boolean,
  ) {
    super();
    this.setTimer = clock.setTimer;
    const remembered = context.workspaceState.get<unknown>(chosenKey);
    this.chosen = typeof remembered === 'string' ? remembered : undefined;
    const environment = environmentOrganization(env);
    if (typeof environment === 'object') this.environment = environment;
    const { kind, token } = environmentToken(env);
    // One that is ignored may be a secret, too.
    if (kind !== 'placeholder') secrets.add(token);
    if (!this.environment) secrets.removeShort(token);
    if (typeof environment === 'string') {
      const names = `${environmentVariables.token} and ${environmentVariables.baseUrl}`;
      log.warn(`Ignored the environment variables ${names}: ${environment} Then restart VS Code.`);
    }
    this.signIns = this.own(
      new SignIns(context, log, secrets, () => this.chosen, clock, isInBrowser),
    );
    this.signIns.onDidChange(() => this.changed.fire());
    this.own({ dispose: () => this.stopTimers() });
  }

  /** Resolves when the keyring is read, and after 10 s in any case. An unreadable one is read once more. */
  get ready(): Promise<void> {
    return this.signIns.ready;
  }

  /** Resolves when it is known which one is current, and after 10 s in any case. That of the environment needs no keyring. */
  get currentReady(): Promise<void> {
    return this.current ? Promise.resolve() : this.ready;
  }

  /** Why the keyring may have sign-ins that are not in the list. */
  get keyringProblem(): UserError | undefined {
    const { state } = this.signIns;
    if (state === 'waiting') return keyringWaiting();
    return state === 'unreadable' ? keyringUnreadable() : undefined;
  }

  /** As `ready`, for a command: shows that it waits. */
  async waitForSignIns(): Promise<void> {
    await this.showing(this.ready.then(() => this.signIns.readMarked()));
  }

  /** As `currentReady`, for a command: shows that it waits. */
  async waitForCurrent(): Promise<void> {
    this.followOtherWindows();
    await this.showing(this.currentReady);
  }

  /** Forgets what another window has signed out. Only a desktop VS Code reports that by itself. */
  followOtherWindows(): void {
    this.signIns.followMarks();
  }

  /**
   * When the window gets the focus: follows the others, and says which token of another one it can use only after a
   * reload. A change takes a moment to arrive, so that the focus may be quicker: this looks twice.
   */
  catchUp(): Promise<void> {
    this.caughtUp = new Promise((resolve) => {
      const timer = this.setTimer(() => {
        this.timers.delete(timer);
        resolve(this.followAndTell());
      }, arrivalMs);
      this.timers.add(timer);
    });
    return this.followAndTell();
  }

  private async followAndTell(): Promise<void> {
    await Promise.all([this.signIns.readMarked(), this.signIns.tellAgain()]);
    const { current, lacksSignIn } = this;
    if (lacksSignIn !== this.lackedSignIn) this.changed.fire();
    this.lackedSignIn = lacksSignIn;
    const problem = current && this.oldTokenProblem(current.id);
    if (!problem || this.toldOfToken.has(current.id)) return;
    this.toldOfToken.add(current.id);
    showMessage(problem.message, ...problem.actions);
  }

  /** Whether another window has signed in to an organization that this one can use only after a reload. */
  get lacksSignIn(): boolean {
    return this.signIns.lacksSignIn;
  }

  /** Whether another window has changed its tokens, and this one has read only the old ones. */
  hasOldToken(id: string): boolean {
    return this.signIns.hasOldToken(id);
  }

  /** `undefined`: this window has its newest tokens. `isUnsent`: says that nothing was sent with the old ones. */
  oldTokenProblem(id: string, isUnsent = false): UserError | undefined {
    if (!this.hasOldToken(id)) return undefined;
    const help = this.signIns.helpForOldToken(id);
    if (help === 'unlock') return keyringUnreadable();
    const { name } = this.named(id);
    const changed = isUnsent
      ? vscode.l10n.t(
          'Nothing was sent, because the tokens for “{name}” were changed in another window. Reload this window to use them.',
          { name },
        )
      : vscode.l10n.t(
          'The tokens for “{name}” were changed in another window. Reload this window to use them.',
          {
            name,
          },
        );
    if (help === 'reload') return new UserError(changed, [reloadWindowAction()]);
    const again = vscode.l10n.t('If this message comes again, sign in again.');
    return new UserError(joinSentences(changed, again), [
      reloadWindowAction(),
      signInAction(this.get(id)),
    ]);
  }

  /** For a command that will change the keyring. Rejects if it does not answer. */
  async keyringAnswers(): Promise<void> {
    await this.waitForSignIns();
    if (this.signIns.isWaiting) throw keyringWaiting();
  }

  /**
   * Ids of all that are signed in, also of those that can't be read at the moment or that only another window has, and
   * `environment`; `undefined`: not known.
   */
  get notSignedOut(): ReadonlySet<string> | undefined {
    const { ids, unseenIds } = this.signIns;
    return ids && new Set([environmentId, ...ids, ...unseenIds]);
  }

  get list(): readonly Organization[] {
    return inOrder(this.all.map(withoutTokens));
  }

  get current(): Organization | undefined {
    const { choice } = this;
    return typeof choice === 'string' ? undefined : choice;
  }

  get missing(): NoOrganization | undefined {
    const { choice } = this;
    return typeof choice === 'string' ? choice : undefined;
  }

  get(id: string): Organization | undefined {
    return this.list.find((organization) => organization.id === id);
  }

  /**
   * An install is looked up with the user session token, if there is one. `undefined`: the organization is gone, also if
   * another window has just signed it out.
   */
  target(id: string, slot: 'access' | 'install'): Target | undefined {
    this.followOtherWindows();
    const stored = this.stored(id);
    if (!stored) return undefined;
    const token = slot === 'install' ? (stored.sessionToken ?? stored.token) : stored.token;
    return { organizationId: id, baseUrl: stored.baseUrl, token };
  }

  /** Returns the organization with this ID if its token can be replaced: not that of the environment. */
  signedIn(id: string): Organization | undefined {
    return this.list.find((known) => known.source === 'keyring' && known.id === id);
  }

  /** Of two with one name, which two windows made at the same moment, returns the current one. */
  find({ name, baseUrl }: Pick<SignIn, 'name' | 'baseUrl'>): Organization | undefined {
    const parsed = parseBaseUrl(baseUrl);
    const url = parsed.ok ? parsed.url : baseUrl;
    const found = this.list.filter(
      (known) => known.source === 'keyring' && known.baseUrl === url && sameName(known.name, name),
    );
    const { current } = this;
    return found.find(({ id }) => id === current?.id) ?? found[0];
  }

  /** Why a sign-in with this base URL can't have this name. One with the base URL of its owner replaces that one's token. */
  nameProblem(given: Pick<SignIn, 'name' | 'baseUrl'>): string | undefined {
    const name = given.name.trim();
    if (name === '') return vscode.l10n.t('Enter a name.');
    if (name.length > maxOrganizationNameChars) return vscode.l10n.t('Enter a shorter name.');
    if (sameName(name, environmentId))
      return vscode.l10n.t('“{name}” is reserved. Enter another name.', { name });
    const owner = this.list.find((other) => sameName(other.name, name));
    if (!owner || this.find(given)) return undefined;
    const values = { name: owner.name, host: hostOf(owner.baseUrl) };
    return vscode.l10n.t(
      '“{name}” is already the name of an organization on {host}. Enter another name.',
      values,
    );
  }

  /** Replaces the token of the one with this name and base URL. Becomes current. Rejects with what the keyring said. */
  async signIn(given: SignIn): Promise<Organization> {
    this.followOtherWindows();
    const name = given.name.trim();
    const parsed = parseBaseUrl(given.baseUrl);
    if (!parsed.ok) throw new Error(`unusable base URL: ${parsed.problem}`);
    const baseUrl = parsed.url;
    // The name is checked again, since another window may have taken it meanwhile.
    const problem = this.nameProblem(given);
    if (problem) throw new UserError(problem, [signInAction()]);
    const known = this.find(given);
    const id = known?.id ?? crypto.randomUUID();
    const { token } = given;
    const change: Change = (latest) =>
      latest ? { ...latest, token } : { id, name, baseUrl, token };
    try {
      const saved = await this.write(
        id,
        change,
        known ? replacedLate(known) : savedLate({ id, name }),
      );
      await this.choose(id);
      return withoutTokens(saved);
    } catch (error) {
      // Another window has signed out the known one meanwhile, so that this one is new.
      if (error instanceof SignedOut) return this.signIn(given);
      throw error;
    }
  }

  /** It becomes current. Rejects if it is signed out, and with what the keyring said. */
  async replaceToken(id: string, token: string): Promise<Organization> {
    const change: Change = (latest) => {
      if (!latest) throw new SignedOut();
      return { ...latest, token };
    };
    const saved = await this.write(id, change, replacedLate(this.named(id)));
    await this.choose(id);
    return withoutTokens(saved);
  }

  async setSessionToken(id: string, token: string | undefined): Promise<void> {
    await this.signIns.readMarked();
    // Both tokens are in one secret, so the replaced one would come back.
    const problem = this.oldTokenProblem(id);
    if (problem) throw problem;
    const change: Change = (latest) => {
      if (!latest) throw new SignedOut();
      const { sessionToken: _, ...rest } = latest;
      return token === undefined ? rest : { ...rest, sessionToken: token };
    };
    await this.write(id, change, sessionTokenLate(this.named(id), token !== undefined));
    this.changed.fire();
  }

  async signOut(id: string): Promise<void> {
    if (id === environmentId) throw environmentSignOut();
    await this.showing(this.signIns.delete(id, signedOutLate(this.named(id))));
    this.changed.fire();
  }

  async use(id: string): Promise<void> {
    if (!this.stored(id)) throw new SignedOut();
    await this.choose(id);
  }

  /** Whether the text is or contains a stored token, also percent-encoded: then it is no id and must not be sent or shown. */
  holdsToken(text: string): boolean {
    return this.all
      .flatMap(tokensOf)
      .some((token) => text.includes(token) || decoded(text).includes(token));
  }

  private stopTimers(): void {
    for (const timer of this.timers) timer.dispose();
  }

  private stored(id: string): StoredOrganization | undefined {
    return id === environmentId ? this.environment : this.signIns.known.get(id);
  }

  private write(id: string, change: Change, late: LateWords): Promise<StoredOrganization> {
    return this.showing(this.signIns.write(id, change, late));
  }

  private named(id: string): Named {
    return this.stored(id) ?? { id, name: id };
  }

  /** Shows in the status bar that a command waits for the keyring. */
  private showing<T>(work: Promise<T>): Promise<T> {
    return withSpinner(vscode.l10n.t('Waiting for VS Code’s secret storage'), work, this.setTimer);
  }

  private get all(): readonly StoredOrganization[] {
    const signedIn = [...this.signIns.known.values()];
    return this.environment ? [this.environment, ...signedIn] : signedIn;
  }

  private get choice(): Organization | NoOrganization {
    return chooseOrganization(this.chosen, this.list, this.signIns.state);
  }

  /** The choice holds in this window even if it can't be saved, so a failure is only logged. */
  private async choose(id: string): Promise<void> {
    this.chosen = id;
    this.changed.fire();
    try {
      await this.context.workspaceState.update(chosenKey, id);
    } catch (error) {
      this.log.warn(`The organization of this workspace could not be remembered: ${String(error)}`);
    }
  }
}

type Change = (latest: StoredOrganization | undefined) => StoredOrganization;
type Named = Pick<StoredOrganization, 'id' | 'name'>;

function savedLate({ id, name }: Named): LateWords {
  const done = vscode.l10n.t('The sign-in to “{name}” was saved after all.', { name });
  return { name, done, actions: [signOutAction(id), switchOrganizationAction] };
}

function replacedLate({ name }: Named): LateWords {
  return { name, done: vscode.l10n.t('The token for “{name}” was replaced after all.', { name }) };
}

function sessionTokenLate({ name }: Named, isNew: boolean): LateWords {
  const done = isNew
    ? vscode.l10n.t('The user session token for “{name}” was saved after all.', { name })
    : vscode.l10n.t('The user session token for “{name}” was removed after all.', { name });
  return { name, done };
}

function signedOutLate({ name }: Named): LateWords {
  return { name, done: vscode.l10n.t('You were signed out of “{name}” after all.', { name }) };
}

export function environmentSignOut(): UserError {
  return new UserError(
    vscode.l10n.t(
      'The organization “environment” comes from {token} and {baseUrl}. To sign out, remove both variables and restart VS Code.',
      environmentVariables,
    ),
  );
}
