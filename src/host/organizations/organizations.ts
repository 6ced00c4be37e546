import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.js';
import type { KnownSecrets } from '../../api/secrets.js';
import type { Target } from '../../api/wireRequest.js';
import type { SetTimer } from '../../model/time.js';
import { environmentId, environmentOrganization } from './environment.js';
import { Keyring, type ProblemLog } from './keyring.js';
import {
  type Choice,
  chooseOrganization,
  holdsToken,
  inOrder,
  type NoOrganization,
  nameProblem,
  type Organization,
  type StoredOrganization,
  sameName,
  tokensOf,
  withoutTokens,
} from './organization.js';
import { environmentSignOut, nameRefused, readOnly, signedOut, unusableBaseUrl } from './refusals.js';
import { SignIns } from './signIns.js';

/** access: 4.2 and 4.3. install: 4.1, the user session token if there is one, else the access token. */
type Slot = 'access' | 'install';

interface SignIn {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
}

type OrganizationsContext = Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState' | 'globalState'>;

const chosenKey = 'organization';

/** The organizations of this machine, and which one this workspace uses. */
export class Organizations implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly environment: StoredOrganization | undefined;
  private readonly signIns: SignIns;
  private readonly listener: vscode.Disposable;
  private chosen: string | undefined;
  private known: readonly Organization[];

  /** The list, the current one, or a token changed; also when another window did it. */
  readonly onDidChange = this.changed.event;
  /** The keyring lost a sign-in. Fires once for each loss, not once a window. */
  readonly onDidLoseSignIn: vscode.Event<void>;

  constructor(
    private readonly context: OrganizationsContext,
    private readonly log: ProblemLog,
    secrets: KnownSecrets,
    env: NodeJS.ProcessEnv = process.env,
    setTimer?: SetTimer,
  ) {
    this.chosen = readChosen(context.workspaceState);
    this.environment = environmentOrganization(env, log);
    if (this.environment) secrets.addToken(this.environment.token);
    this.signIns = new SignIns({
      keyring: new Keyring(context.secrets, log, secrets),
      secrets,
      onDidChange: context.secrets.onDidChange,
      said: context.globalState,
      chosen: () => (this.chosen === environmentId ? undefined : this.chosen),
      ...(setTimer && { setTimer }),
    });
    this.onDidLoseSignIn = this.signIns.onDidLose;
    this.known = this.inList([]);
    this.listener = this.signIns.onDidChange(() => {
      this.known = this.inList(this.signIns.all);
      this.changed.fire();
    });
  }

  /** Resolves when the keyring has been asked. One that could not be read is asked again now: somebody is waiting for it. */
  get ready(): Promise<void> {
    return this.signIns.ready;
  }

  /** By name; `environment` first. */
  get list(): readonly Organization[] {
    return this.known;
  }

  /**
   * Ids of all organizations that nobody has signed out of: also of those that the keyring lost and may find again, and of
   * `environment`, even without its variables. `undefined`: not known, as the keyring's index could not be read.
   */
  get notSignedOut(): ReadonlySet<string> | undefined {
    const { notSignedOut } = this.signIns;
    return notSignedOut && new Set([environmentId, ...notSignedOut]);
  }

  get current(): Organization | undefined {
    return this.choice().current;
  }

  /** Why there is no current one; `undefined` if there is. */
  get missing(): NoOrganization | undefined {
    return this.choice().missing;
  }

  get(id: string): Organization | undefined {
    return this.known.find((organization) => organization.id === id);
  }

  /** With the token of that slot, or `undefined` if the organization is gone. */
  target(id: string, slot: Slot): Target | undefined {
    const stored = this.stored(id);
    if (!stored) return undefined;
    const token = slot === 'install' ? (stored.sessionToken ?? stored.token) : stored.token;
    return { organizationId: id, baseUrl: stored.baseUrl, token };
  }

  /** Known base URL and name: replaces the token. Becomes current. Rejects with what the keyring said. */
  async signIn(input: SignIn): Promise<Organization> {
    const change = newSignIn(input, (latest) => this.inList(latest));
    // The token is redacted before the keyring gets it, since an error of the keyring may repeat it.
    this.signIns.know(input.token);
    const saved = await this.signIns.save(change, ({ id }) => {
      this.chosen = id;
    });
    await this.remember(saved.id);
    return withoutTokens(saved, 'keyring');
  }

  /** `undefined` removes it. */
  async setSessionToken(id: string, token: string | undefined): Promise<void> {
    if (id === environmentId) throw readOnly();
    if (token !== undefined) this.signIns.know(token);
    await this.signIns.save(newSessionToken(id, token));
  }

  async signOut(id: string): Promise<void> {
    if (id === environmentId) throw environmentSignOut();
    await this.signIns.delete(id);
  }

  /** Makes it this workspace's organization. */
  async use(id: string): Promise<void> {
    if (!this.stored(id)) throw signedOut();
    const before = this.current?.id;
    this.chosen = id;
    if (before !== id) this.changed.fire();
    await this.remember(id);
  }

  /** Whether the text is or contains a stored token, so that it is no id and must not be sent or shown. */
  holdsToken(text: string): boolean {
    const all = this.environment ? [this.environment, ...this.signIns.all] : this.signIns.all;
    return holdsToken(text, all.flatMap(tokensOf));
  }

  dispose(): void {
    this.listener.dispose();
    this.signIns.dispose();
    this.changed.dispose();
  }

  private stored(id: string): StoredOrganization | undefined {
    return id === environmentId ? this.environment : this.signIns.get(id);
  }

  private inList(stored: readonly StoredOrganization[]): readonly Organization[] {
    return inOrder([
      ...(this.environment ? [withoutTokens(this.environment, 'environment')] : []),
      ...stored.map((organization) => withoutTokens(organization, 'keyring')),
    ]);
  }

  private choice(): Choice {
    return chooseOrganization(this.chosen, this.known, this.signIns.state);
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

function readChosen(workspaceState: vscode.Memento): string | undefined {
  const chosen = workspaceState.get<unknown>(chosenKey);
  return typeof chosen === 'string' ? chosen : undefined;
}

/** Which sign-in is to be saved, decided on those that the keyring holds at that moment. Throws what a person is told. */
type Change = (latest: readonly StoredOrganization[]) => StoredOrganization;

/** `list`: the organizations as people see them, names in use among them. Throws at once if the base URL can't be used. */
function newSignIn(
  { name, baseUrl: address, token }: SignIn,
  list: (latest: readonly StoredOrganization[]) => readonly Organization[],
): Change {
  const trimmed = name.trim();
  const parsed = parseBaseUrl(address);
  // The command has checked the base URL already; this makes sure that no token is ever kept for an unusable one.
  if (!parsed.ok) throw unusableBaseUrl();
  const baseUrl = parsed.url;
  return (latest) => {
    // The name is checked again, since another window may have taken it meanwhile.
    const problem = nameProblem(trimmed, baseUrl, list(latest));
    if (problem) throw nameRefused(problem);
    const known = latest.find((other) => other.baseUrl === baseUrl && sameName(other.name, trimmed));
    return known ? { ...known, token } : { id: crypto.randomUUID(), name: trimmed, baseUrl, token };
  };
}

function newSessionToken(id: string, token: string | undefined): Change {
  return (latest) => {
    const organization = latest.find((other) => other.id === id);
    if (!organization) throw signedOut();
    const { sessionToken: _, ...rest } = organization;
    return token === undefined ? rest : { ...rest, sessionToken: token };
  };
}
