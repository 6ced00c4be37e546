import * as vscode from 'vscode';
import { decoded, parseBaseUrl } from '../../api/baseUrl.js';
import type { KnownSecrets } from '../../api/secrets.js';
import type { Target } from '../../api/send.js';
import type { SetTimer } from '../../model/time.js';
import { signInAction, UserError } from '../actions.js';
import type { Log } from '../log.js';
import { environmentOrganization } from './environment.js';
import { Keyring } from './keyring.js';
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
import { environmentSignOut, nameProblem, signedOut } from './refusals.js';
import { SignIns } from './signIns.js';

export type SignIn = Pick<StoredOrganization, 'name' | 'baseUrl' | 'token'>;

const chosenKey = 'organization';

/** The organizations of this machine, and which one this workspace uses. */
export class Organizations implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly environment: StoredOrganization | undefined;
  private readonly signIns: SignIns;
  private chosen: string | undefined;

  /** The list, the current one, or a token changed; also when another window did it. */
  readonly onDidChange = this.changed.event;
  list: readonly Organization[];

  constructor(
    private readonly context: Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState' | 'globalState'>,
    private readonly log: Pick<Log, 'warn' | 'error'>,
    secrets: KnownSecrets,
    env: NodeJS.ProcessEnv = process.env,
    setTimer?: SetTimer,
  ) {
    const remembered = context.workspaceState.get<unknown>(chosenKey);
    this.chosen = typeof remembered === 'string' ? remembered : undefined;
    this.environment = environmentOrganization(env, log);
    if (this.environment) secrets.addToken(this.environment.token);
    const keyring = new Keyring(context.secrets, log, secrets);
    const chosen = () => (this.chosen === environmentId ? undefined : this.chosen);
    this.signIns = new SignIns(keyring, secrets, context.globalState, chosen, setTimer);
    this.list = this.inList([]);
    this.signIns.onDidChange(() => {
      this.list = this.inList([...this.signIns.known.values()]);
      this.changed.fire();
    });
  }

  /** Resolves when the keyring has been asked. One that could not be read is asked again now: somebody is waiting for it. */
  get ready(): Promise<void> {
    return this.signIns.ready;
  }

  /**
   * Ids of all that nobody has signed out of: also of those that the keyring lost and may find again, and of `environment`, even
   * without its variables. `undefined`: not known, as the keyring's index could not be read.
   */
  get notSignedOut(): ReadonlySet<string> | undefined {
    const { notSignedOut } = this.signIns;
    return notSignedOut && new Set([environmentId, ...notSignedOut]);
  }

  get current(): Organization | undefined {
    return typeof this.choice === 'string' ? undefined : this.choice;
  }

  /** Why there is no current one; `undefined` if there is. */
  get missing(): NoOrganization | undefined {
    return typeof this.choice === 'string' ? this.choice : undefined;
  }

  get(id: string): Organization | undefined {
    return this.list.find((organization) => organization.id === id);
  }

  /** An install is looked up with the user session token, if there is one. `undefined`: the organization is gone. */
  target(id: string, slot: 'access' | 'install'): Target | undefined {
    const stored = this.stored(id);
    if (!stored) return undefined;
    const token = slot === 'install' ? (stored.sessionToken ?? stored.token) : stored.token;
    return { organizationId: id, baseUrl: stored.baseUrl, token };
  }

  /** Known base URL and name: replaces the token. Becomes current. Rejects with what the keyring said. */
  async signIn({ name, baseUrl: address, token }: SignIn): Promise<Organization> {
    const trimmed = name.trim();
    const parsed = parseBaseUrl(address);
    // The command has checked it already; this makes sure that no token is ever kept for an unusable one.
    if (!parsed.ok) throw new Error(`unusable base URL: ${parsed.problem}`);
    const baseUrl = parsed.url;
    const decide = (latest: readonly StoredOrganization[]): StoredOrganization => {
      // The name is checked again, since another window may have taken it meanwhile.
      const problem = nameProblem(trimmed, baseUrl, this.inList(latest));
      if (problem) throw new UserError(problem, [signInAction()]);
      const known = latest.find((other) => other.baseUrl === baseUrl && sameName(other.name, trimmed));
      return known ? { ...known, token } : { id: crypto.randomUUID(), name: trimmed, baseUrl, token };
    };
    const saved = await this.signIns.save(token, decide, (id) => {
      this.chosen = id;
    });
    await this.remember(saved.id);
    return withoutTokens(saved);
  }

  async setSessionToken(id: string, token: string | undefined): Promise<void> {
    await this.signIns.save(token, (latest) => {
      const organization = latest.find((other) => other.id === id);
      if (!organization) throw signedOut();
      const { sessionToken: _, ...rest } = organization;
      return token === undefined ? rest : { ...rest, sessionToken: token };
    });
  }

  async signOut(id: string): Promise<void> {
    if (id === environmentId) throw environmentSignOut();
    await this.signIns.delete(id);
  }

  async use(id: string): Promise<void> {
    if (!this.stored(id)) throw signedOut();
    this.chosen = id;
    this.changed.fire();
    await this.remember(id);
  }

  /** Whether the text is or contains a stored token, also out of a URL, so that it is no id and must not be sent or shown. */
  holdsToken(text: string): boolean {
    const tokens = this.withEnvironment([...this.signIns.known.values()]).flatMap(tokensOf);
    return tokens.some((token) => text.includes(token) || decoded(text).includes(token));
  }

  dispose(): void {
    this.signIns.dispose();
    this.changed.dispose();
  }

  private stored(id: string): StoredOrganization | undefined {
    return id === environmentId ? this.environment : this.signIns.known.get(id);
  }

  private inList(stored: readonly StoredOrganization[]): readonly Organization[] {
    return inOrder(this.withEnvironment(stored).map(withoutTokens));
  }

  private withEnvironment(stored: readonly StoredOrganization[]): readonly StoredOrganization[] {
    return this.environment ? [this.environment, ...stored] : stored;
  }

  private get choice(): Organization | NoOrganization {
    return chooseOrganization(this.chosen, this.list, this.signIns.state);
  }

  /** The choice holds in this window even if it can't be saved, so a failure is only logged. */
  private async remember(id: string): Promise<void> {
    try {
      await this.context.workspaceState.update(chosenKey, id);
    } catch (error) {
      this.log.warn(`The organization of this workspace could not be remembered: ${String(error)}`);
    }
  }
}
