import * as vscode from 'vscode';
import type { Target } from '../../api/call.js';
import { parseBaseUrl, percentDecoded } from '../../api/entered/baseUrl.js';
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
import { keyringUnreadable, keyringWaiting, SignedOut } from './keyringErrors.js';
import {
  chooseOrganization,
  environmentId,
  isSameName,
  type NoOrganization,
  type Organization,
  type StoredOrganization,
  sortOrganizations,
  tokensOf,
  withoutTokens,
} from './organization.js';
import { type ChangeSignIn, type LateMessage, SignIns } from './signIns.js';

/** What the user enters to sign in. */
export type SignIn = Pick<StoredOrganization, 'name' | 'baseUrl' | 'token'>;

/** What differs in tests and in a browser. */
export interface OrganizationsOptions {
  /** The environment variables; by default those of this process. */
  readonly env?: NodeJS.ProcessEnv;
  readonly clock?: Pick<Clock, 'elapsed' | 'setTimer'>;
  /** Whether VS Code runs in a browser, where each tab has a copy of all secrets. */
  readonly isInBrowser?: boolean;
}

const chosenKey = 'organization';
const maxOrganizationNameChars = 100;
/** How long a change of another window takes at most to arrive: 0.1 to 0.5 s were measured. */
const arrivalMs = 2000;

/**
 * The organizations that the user is signed in to (the sign-ins in the keyring, and the
 * organization of the environment variables), and which of them is current in this workspace. Views
 * and commands ask it; it alone gives out tokens.
 */
export class Organizations extends DisposableOwner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  private readonly environment: StoredOrganization | undefined;
  private readonly signIns: SignIns;
  private readonly setTimer: SetTimer;
  /** ID of the organization that this workspace has chosen, which may be signed out by now. */
  private chosenId: string | undefined;
  /** The value of `lacksSignInOfOtherWindow` when `catchUp` last compared it. */
  private lackedBefore = false;
  /** Resolves when this window knows the changes of other windows from before it got the focus. */
  caughtUp: Promise<void> = Promise.resolve();
  private readonly catchUpTimers = new Set<Disposable>();
  /** IDs of the organizations for which the user has seen a message about an old token. */
  private readonly reportedOldTokens = new Set<string>();

  /**
   * Fires when the list, the current organization, or a token changes in this or another window,
   * when the state of the keyring changes, and when `catchUp()` finds that
   * `lacksSignInOfOtherWindow` has changed.
   */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly context: Pick<
      vscode.ExtensionContext,
      'secrets' | 'workspaceState' | 'globalState'
    >,
    private readonly log: Pick<Log, 'info' | 'warn' | 'warnOnce' | 'error'>,
    secrets: KnownSecrets,
    options: OrganizationsOptions = {},
  ) {
    super();
    const {
      env = process.env,
      clock = systemClock,
      isInBrowser = vscode.env.uiKind === vscode.UIKind.Web,
    } = options;
    this.setTimer = clock.setTimer;
    const remembered = context.workspaceState.get<unknown>(chosenKey);
    this.chosenId = typeof remembered === 'string' ? remembered : undefined;
    this.environment = readEnvironment(env, secrets, log);
    const chosenId = () => this.chosenId;
    this.signIns = this.own(new SignIns(context, log, secrets, { chosenId, clock, isInBrowser }));
    this.signIns.onDidChange(() => this.changed.fire());
    this.own({ dispose: () => this.stopTimers() });
  }

  /**
   * Resolves when the keyring is read, and after 10 s in any case. Reads an unreadable one again.
   */
  get ready(): Promise<void> {
    return this.signIns.ready;
  }

  /**
   * Resolves when it is known which organization is current, and after 10 s in any case. The
   * environment's organization needs no keyring.
   */
  get currentReady(): Promise<void> {
    return this.current ? Promise.resolve() : this.ready;
  }

  /**
   * Why sign-ins may be missing in the list; `undefined` if the keyring has been read, and during
   * the first 10 s of the first read.
   */
  get keyringError(): UserError | undefined {
    const { state } = this.signIns;
    if (state === 'waiting') return keyringWaiting();
    return state === 'unreadable' ? keyringUnreadable() : undefined;
  }

  /**
   * Waits for `ready` on behalf of a command, with a spinner, and then for the newest changes of
   * other windows.
   */
  async waitForSignIns(): Promise<void> {
    await this.withKeyringSpinner(this.ready.then(() => this.signIns.readOtherWindowsChanges()));
  }

  /** Waits for `currentReady` on behalf of a command, with a spinner. */
  async waitForCurrent(): Promise<void> {
    this.forgetSignedOutElsewhere();
    await this.withKeyringSpinner(this.currentReady);
  }

  /**
   * Forgets the organizations that another window has signed out. Only a desktop VS Code reports
   * these sign-outs by itself.
   */
  forgetSignedOutElsewhere(): void {
    this.signIns.forgetSignedOutElsewhere();
  }

  /**
   * Adopts the changes of other windows when this window gets the focus, and shows a message if the
   * current organization has a new token that this window can use only after a reload. Does so once
   * more after `arrivalMs`, because the focus may be quicker than a change. Resolves after the
   * first time; `caughtUp` resolves after the second.
   */
  catchUp(): Promise<void> {
    this.caughtUp = new Promise((resolve) => {
      const timer = this.setTimer(() => {
        this.catchUpTimers.delete(timer);
        resolve(this.catchUpOnce());
      }, arrivalMs);
      this.catchUpTimers.add(timer);
    });
    return this.catchUpOnce();
  }

  private async catchUpOnce(): Promise<void> {
    await Promise.all([this.signIns.readOtherWindowsChanges(), this.signIns.republishSignOuts()]);

    const { current, lacksSignInOfOtherWindow } = this;
    if (lacksSignInOfOtherWindow !== this.lackedBefore) this.changed.fire();
    this.lackedBefore = lacksSignInOfOtherWindow;

    const error = current && this.oldTokenError(current.id);
    if (!error || this.reportedOldTokens.has(current.id)) return;
    this.reportedOldTokens.add(current.id);
    showMessage(error.message, ...error.actions);
  }

  /**
   * Whether another window has signed in to an organization that this window can use only after a
   * reload.
   */
  get lacksSignInOfOtherWindow(): boolean {
    return this.signIns.lacksSignInOfOtherWindow;
  }

  /**
   * Whether another window has changed the organization's tokens, and this window has the old ones.
   */
  hasOldToken(id: string): boolean {
    return this.signIns.hasOldToken(id);
  }

  /**
   * Says that another window has changed the organization's tokens, and what helps; `undefined` if
   * this window has the newest tokens. `isUnsent`: the sentence also says that nothing was sent.
   * "The tokens for “Acme” were changed in another window. Reload this window to use them."
   */
  oldTokenError(id: string, { isUnsent = false } = {}): UserError | undefined {
    if (!this.hasOldToken(id)) return undefined;
    const help = this.signIns.helpForOldToken(id);
    if (help === 'unlock') return keyringUnreadable();

    const { name } = this.namedOrganization(id);
    const changed = isUnsent
      ? vscode.l10n.t(
          'Nothing was sent, because the tokens for “{name}” were changed in another window. Reload this window to use them.',
          { name },
        )
      : vscode.l10n.t(
          'The tokens for “{name}” were changed in another window. Reload this window to use them.',
          { name },
        );
    if (help === 'reload') return new UserError(changed, [reloadWindowAction()]);

    const again = vscode.l10n.t('If this message comes again, sign in again.');
    const actions = [reloadWindowAction(), signInAction(this.get(id))];
    return new UserError(joinSentences(changed, again), actions);
  }

  /**
   * Waits for the sign-ins on behalf of a command that will change the keyring. Rejects if the
   * keyring does not answer.
   */
  async ensureKeyringAnswers(): Promise<void> {
    await this.waitForSignIns();
    if (this.signIns.isKeyringWaiting) throw keyringWaiting();
  }

  /**
   * IDs of all organizations that may be signed in: those in the keyring, even if they cannot be
   * read at the moment, those that only another window has, and `environment`. `undefined` while
   * the keyring cannot list its own.
   */
  get idsNotSignedOut(): ReadonlySet<string> | undefined {
    const { storedIds, unseenIds } = this.signIns;
    return storedIds && new Set([environmentId, ...storedIds, ...unseenIds]);
  }

  /** The environment's organization first, the others by name. */
  get list(): readonly Organization[] {
    return sortOrganizations(this.stored.map(withoutTokens));
  }

  /**
   * The organization that this workspace uses; `undefined` if there is none: see `noCurrentReason`.
   */
  get current(): Organization | undefined {
    const { currentOrReason } = this;
    return typeof currentOrReason === 'string' ? undefined : currentOrReason;
  }

  /** Why no organization is current; `undefined` if one is. */
  get noCurrentReason(): NoOrganization | undefined {
    const { currentOrReason } = this;
    return typeof currentOrReason === 'string' ? currentOrReason : undefined;
  }

  /** Returns `undefined` if the organization is signed out or could not be read. */
  get(id: string): Organization | undefined {
    return this.list.find((organization) => organization.id === id);
  }

  /**
   * Returns the base URL and the token for a request. An install is looked up with the user session
   * token, if there is one. Returns `undefined` if the organization is signed out, perhaps by
   * another window a moment ago.
   */
  target(id: string, purpose: 'access' | 'install'): Target | undefined {
    this.forgetSignedOutElsewhere();
    const organization = this.storedOrganization(id);
    if (!organization) return undefined;
    const { baseUrl, token, sessionToken } = organization;
    const usedToken = purpose === 'install' ? (sessionToken ?? token) : token;
    return { organizationId: id, baseUrl, token: usedToken };
  }

  /**
   * Returns the organization with this ID if it is in the keyring, so that its token can be
   * replaced; `undefined` for the environment's organization.
   */
  getFromKeyring(id: string): Organization | undefined {
    return this.list.find(
      (organization) => organization.source === 'keyring' && organization.id === id,
    );
  }

  /**
   * Returns the organization in the keyring with this name and base URL. If two windows have made
   * two such organizations at the same moment, returns the current one.
   */
  findByNameAndUrl({ name, baseUrl }: Pick<SignIn, 'name' | 'baseUrl'>): Organization | undefined {
    const parsed = parseBaseUrl(baseUrl);
    const url = parsed.ok ? parsed.url : baseUrl;
    const matches = this.list.filter(
      (organization) =>
        organization.source === 'keyring' &&
        organization.baseUrl === url &&
        isSameName(organization.name, name),
    );
    const { current } = this;
    return matches.find(({ id }) => id === current?.id) ?? matches[0];
  }

  /**
   * Returns why a sign-in with this base URL cannot have this name; `undefined` if it can. The name
   * of an organization with the same base URL is allowed: signing in replaces its token. "“Acme” is
   * already the name of an organization on host.example. Enter another name."
   */
  nameError(signIn: Pick<SignIn, 'name' | 'baseUrl'>): string | undefined {
    const name = signIn.name.trim();
    if (name === '') return vscode.l10n.t('Enter a name.');
    if (name.length > maxOrganizationNameChars) return vscode.l10n.t('Enter a shorter name.');
    if (isSameName(name, environmentId))
      return vscode.l10n.t('“{name}” is reserved. Enter another name.', { name });
    const owner = this.list.find((organization) => isSameName(organization.name, name));
    if (!owner || this.findByNameAndUrl(signIn)) return undefined;
    return vscode.l10n.t(
      '“{name}” is already the name of an organization on {host}. Enter another name.',
      { name: owner.name, host: hostOf(owner.baseUrl) },
    );
  }

  /**
   * Saves the sign-in, or replaces the token of the organization with the same name and base URL,
   * and makes the organization current. Rejects with the reason of the keyring, and with
   * `nameError`.
   */
  async signIn(signIn: SignIn): Promise<Organization> {
    this.forgetSignedOutElsewhere();
    const name = signIn.name.trim();
    const parsed = parseBaseUrl(signIn.baseUrl);
    if (!parsed.ok) throw new Error(`unusable base URL: ${parsed.problem}`);
    const baseUrl = parsed.url;
    // The name is checked again, since another window may have taken it meanwhile.
    const nameError = this.nameError(signIn);
    if (nameError) throw new UserError(nameError, [signInAction()]);

    const existing = this.findByNameAndUrl(signIn);
    const id = existing?.id ?? crypto.randomUUID();
    const { token } = signIn;
    const change: ChangeSignIn = (latest) =>
      latest ? { ...latest, token } : { id, name, baseUrl, token };
    const late = existing ? tokenReplacedLate(existing) : signInSavedLate({ id, name });
    try {
      const saved = await this.write(id, change, late);
      await this.choose(id);
      return withoutTokens(saved);
    } catch (error) {
      // Another window has signed out the existing organization meanwhile, so it is added as
      // a new one.
      if (error instanceof SignedOut) return this.signIn(signIn);
      throw error;
    }
  }

  /**
   * Replaces the access token, and makes the organization current. Rejects if the organization is
   * signed out, and with the reason of the keyring.
   */
  async replaceToken(id: string, token: string): Promise<Organization> {
    const change: ChangeSignIn = (latest) => {
      if (!latest) throw new SignedOut();
      return { ...latest, token };
    };
    const saved = await this.write(id, change, tokenReplacedLate(this.namedOrganization(id)));
    await this.choose(id);
    return withoutTokens(saved);
  }

  /**
   * Saves the user session token; `undefined` removes it. Rejects if the organization is signed out
   * or its tokens are old, and with the reason of the keyring.
   */
  async setSessionToken(id: string, token: string | undefined): Promise<void> {
    await this.signIns.readOtherWindowsChanges();
    // Both tokens are in one secret, so writing would bring back the access token that was
    // replaced.
    const oldTokenError = this.oldTokenError(id);
    if (oldTokenError) throw oldTokenError;

    const change: ChangeSignIn = (latest) => {
      if (!latest) throw new SignedOut();
      if (token !== undefined) return { ...latest, sessionToken: token };
      const { sessionToken: _, ...withoutSessionToken } = latest;
      return withoutSessionToken;
    };
    const organization = this.namedOrganization(id);
    const late =
      token === undefined
        ? sessionTokenRemovedLate(organization)
        : sessionTokenSavedLate(organization);
    await this.write(id, change, late);
    this.changed.fire();
  }

  /**
   * Deletes the tokens. Rejects with the reason of the keyring, and for the environment's
   * organization.
   */
  async signOut(id: string): Promise<void> {
    if (id === environmentId) throw environmentSignOutError();
    const late = signedOutLate(this.namedOrganization(id));
    await this.withKeyringSpinner(this.signIns.delete(id, late));
    this.changed.fire();
  }

  /** Makes the organization current in this workspace. Rejects if it is signed out. */
  async switchTo(id: string): Promise<void> {
    if (!this.storedOrganization(id)) throw new SignedOut();
    await this.choose(id);
  }

  /**
   * Whether the text contains a stored token, plain or percent-encoded: then it is not an ID, and
   * must not be sent or shown.
   */
  hasTokenIn(text: string): boolean {
    const tokens = this.stored.flatMap(tokensOf);
    return tokens.some((token) => text.includes(token) || percentDecoded(text).includes(token));
  }

  private stopTimers(): void {
    for (const timer of this.catchUpTimers) timer.dispose();
  }

  private storedOrganization(id: string): StoredOrganization | undefined {
    return id === environmentId ? this.environment : this.signIns.organizations.get(id);
  }

  /** As `SignIns.write`, with a spinner. */
  private write(id: string, change: ChangeSignIn, late: LateMessage): Promise<StoredOrganization> {
    return this.withKeyringSpinner(this.signIns.write(id, change, late));
  }

  /** Returns ID and name, for messages. The name is the ID if the organization is signed out. */
  private namedOrganization(id: string): NamedOrganization {
    return this.storedOrganization(id) ?? { id, name: id };
  }

  /** Shows in the status bar that a command waits for the keyring. */
  private withKeyringSpinner<T>(work: Promise<T>): Promise<T> {
    return withSpinner(vscode.l10n.t('Waiting for VS Code’s secret storage'), work, this.setTimer);
  }

  /** The environment's organization and those that were read from the keyring, with tokens. */
  private get stored(): readonly StoredOrganization[] {
    const signedIn = [...this.signIns.organizations.values()];
    return this.environment ? [this.environment, ...signedIn] : signedIn;
  }

  private get currentOrReason(): Organization | NoOrganization {
    return chooseOrganization(this.chosenId, this.list, this.signIns.state);
  }

  /** The choice holds in this window even if it cannot be saved, so a failure is only logged. */
  private async choose(id: string): Promise<void> {
    this.chosenId = id;
    this.changed.fire();
    try {
      await this.context.workspaceState.update(chosenKey, id);
    } catch (error) {
      this.log.warn(`The organization of this workspace could not be remembered: ${String(error)}`);
    }
  }
}

/**
 * Returns the organization of the environment variables; `undefined` if there are none, or if they
 * are unusable, which the log then says. Adds their token to the secrets that are redacted.
 */
function readEnvironment(
  env: NodeJS.ProcessEnv,
  secrets: KnownSecrets,
  log: Pick<Log, 'warn'>,
): StoredOrganization | undefined {
  const organizationOrProblem = environmentOrganization(env);
  const organization =
    typeof organizationOrProblem === 'object' ? organizationOrProblem : undefined;
  const { kind, token } = environmentToken(env);
  // A token that is ignored may be a secret nevertheless.
  if (kind !== 'placeholder') secrets.add(token);
  if (!organization) secrets.removeShort(token);

  if (typeof organizationOrProblem === 'string') {
    const names = `${environmentVariables.token} and ${environmentVariables.baseUrl}`;
    log.warn(
      `Ignored the environment variables ${names}: ${organizationOrProblem} Then restart VS Code.`,
    );
  }
  return organization;
}

type NamedOrganization = Pick<StoredOrganization, 'id' | 'name'>;

/** "The sign-in to “Acme” was saved after all." */
function signInSavedLate({ id, name }: NamedOrganization): LateMessage {
  const sentence = vscode.l10n.t('The sign-in to “{name}” was saved after all.', { name });
  const actions = [signOutAction(id), switchOrganizationAction];
  return { organizationName: name, sentence, actions };
}

/** "The token for “Acme” was replaced after all." */
function tokenReplacedLate({ name }: NamedOrganization): LateMessage {
  const sentence = vscode.l10n.t('The token for “{name}” was replaced after all.', { name });
  return { organizationName: name, sentence };
}

/** "The user session token for “Acme” was saved after all." */
function sessionTokenSavedLate({ name }: NamedOrganization): LateMessage {
  const sentence = vscode.l10n.t('The user session token for “{name}” was saved after all.', {
    name,
  });
  return { organizationName: name, sentence };
}

/** "The user session token for “Acme” was removed after all." */
function sessionTokenRemovedLate({ name }: NamedOrganization): LateMessage {
  const sentence = vscode.l10n.t('The user session token for “{name}” was removed after all.', {
    name,
  });
  return { organizationName: name, sentence };
}

/** "You were signed out of “Acme” after all." */
function signedOutLate({ name }: NamedOrganization): LateMessage {
  const sentence = vscode.l10n.t('You were signed out of “{name}” after all.', { name });
  return { organizationName: name, sentence };
}

/** "The organization “environment” comes from AUTOMATION_PLATFORM_TOKEN and … To sign out, …" */
export function environmentSignOutError(): UserError {
  return new UserError(
    vscode.l10n.t(
      'The organization “environment” comes from {token} and {baseUrl}. To sign out, remove both variables and restart VS Code.',
      environmentVariables,
    ),
  );
}
