import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../../api/baseUrl.js';
import type { Target } from '../../api/client.js';
import type { KnownSecrets } from '../../api/secrets.js';
import type { SetTimer } from '../../model/timer.js';
import { environmentId, environmentOrganization } from './environment.js';
import { Keyring, type ProblemLog } from './keyring.js';
import {
  chooseOrganization,
  holdsToken,
  inOrder,
  type NoOrganization,
  nameProblem,
  type Organization,
  type StoredOrganization,
  sameName,
  withoutTokens,
} from './organization.js';
import { environmentSignOut, nameRefused, readOnly, signedOut, unusableBaseUrl } from './refusals.js';
import { SignIns } from './signIns.js';

/** access: 4.2 and 4.3. install: 4.1, the user session token if there is one, else the access token. */
export type Slot = 'access' | 'install';

export interface SignIn {
  readonly name: string;
  readonly baseUrl: string;
  readonly token: string;
}

/** The organizations of this machine, and which one this workspace uses (contract, "Organizations and credentials"). */
export interface Organizations extends vscode.Disposable {
  /** The list, the current one, or a token changed; also when another window did it. */
  readonly onDidChange: vscode.Event<void>;
  /** The keyring lost a sign-in: said once, with Sign In (`sayLostSignIns`). */
  readonly onDidLoseSignIn: vscode.Event<void>;
  /** By name; `environment` first. */
  readonly list: readonly Organization[];
  /**
   * Ids of all organizations that nobody has signed out of: also of those that the keyring lost and may find again, and of
   * `environment`, even without its variables. `undefined`: not known, as the keyring's index could not be read.
   */
  readonly notSignedOut: ReadonlySet<string> | undefined;
  readonly current: Organization | undefined;
  /** Why there is no current one; `undefined` if there is. */
  readonly missing: NoOrganization | undefined;
  /** Resolves when the keyring has been asked. One that could not be read is asked again now: somebody is waiting for it. */
  readonly ready: Promise<void>;
  get(id: string): Organization | undefined;
  /** With the token of that slot, or `undefined` if the organization is gone. */
  target(id: string, slot: Slot): Target | undefined;
  /** Known base URL and name: replaces the token. Becomes current. Rejects with what the keyring said. */
  signIn(input: SignIn): Promise<Organization>;
  /** `undefined` removes it. */
  setSessionToken(id: string, token: string | undefined): Promise<void>;
  signOut(id: string): Promise<void>;
  /** Makes it this workspace's organization. */
  use(id: string): Promise<void>;
  /** Whether the text is, or contains, a stored token: then it is no id, and must go nowhere. */
  holdsToken(text: string): boolean;
}

const chosenKey = 'organization';

export type OrganizationsContext = Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState' | 'globalState'>;

export function createOrganizations(
  context: OrganizationsContext,
  log: ProblemLog,
  secrets: KnownSecrets,
  env: NodeJS.ProcessEnv = process.env,
  setTimer?: SetTimer,
): Organizations {
  const { workspaceState } = context;
  const changed = new vscode.EventEmitter<void>();
  let chosen = readChosen(workspaceState);
  const environment = environmentOrganization(env, log);
  const signIns = new SignIns({
    keyring: new Keyring(context.secrets, log, secrets),
    secrets,
    onDidChange: context.secrets.onDidChange,
    said: context.globalState,
    chosen: () => (chosen === environmentId ? undefined : chosen),
    ...(setTimer && { setTimer }),
  });

  if (environment) secrets.add(environment.token);

  const listOf = (stored: readonly StoredOrganization[]): Organization[] =>
    inOrder([
      ...(environment ? [withoutTokens(environment, 'environment')] : []),
      ...stored.map((organization) => withoutTokens(organization, 'keyring')),
    ]);
  let list = listOf([]);
  const listener = signIns.onDidChange(() => {
    list = listOf(signIns.all);
    changed.fire();
  });

  const get = (id: string): StoredOrganization | undefined =>
    environment && id === environmentId ? environment : signIns.get(id);
  const choice = () => chooseOrganization(chosen, list, signIns.state);
  // It holds in this window all the same: no reason to call a sign-in or a switch failed.
  const remember = (id: string): Thenable<void> =>
    workspaceState.update(chosenKey, id).then(undefined, (error: unknown) => {
      log.warn(`The organization of this workspace could not be remembered: ${String(error)}`);
    });

  return {
    onDidChange: changed.event,
    onDidLoseSignIn: signIns.onDidLose,
    get ready() {
      return signIns.ready;
    },
    get list() {
      return list;
    },
    get notSignedOut() {
      return signIns.notSignedOut && new Set([environmentId, ...signIns.notSignedOut]);
    },
    get current() {
      return choice().current;
    },
    get missing() {
      return choice().missing;
    },
    get: (id) => list.find((organization) => organization.id === id),
    target(id, slot) {
      const stored = get(id);
      if (!stored) return undefined;
      const token = slot === 'install' ? (stored.sessionToken ?? stored.token) : stored.token;
      return { organizationId: id, baseUrl: stored.baseUrl, token };
    },
    async signIn(input) {
      const change = newSignIn(input, listOf);
      // Before the keyring is asked anything: it may repeat what it is given.
      signIns.know(input.token);
      const saved = await signIns.save(change, ({ id }) => {
        chosen = id;
      });
      await remember(saved.id);
      return withoutTokens(saved, 'keyring');
    },
    async setSessionToken(id, token) {
      if (id === environmentId) throw readOnly();
      if (token !== undefined) signIns.know(token);
      await signIns.save(newSessionToken(id, token));
    },
    async signOut(id) {
      if (id === environmentId) throw environmentSignOut();
      await signIns.delete(id);
    },
    async use(id) {
      if (!get(id)) throw signedOut();
      const before = choice().current?.id;
      chosen = id;
      if (before !== id) changed.fire();
      await remember(id);
    },
    holdsToken(text) {
      const known = environment ? [environment, ...signIns.all] : signIns.all;
      return holdsToken(
        text,
        known.flatMap(({ token, sessionToken }) => (sessionToken === undefined ? [token] : [token, sessionToken])),
      );
    },
    dispose() {
      listener.dispose();
      signIns.dispose();
      changed.dispose();
    },
  };
}

function readChosen(workspaceState: vscode.Memento): string | undefined {
  const chosen = workspaceState.get<unknown>(chosenKey);
  return typeof chosen === 'string' ? chosen : undefined;
}

/** Which sign-in is to be saved, decided on those that the keyring holds at that moment. Throws what a person is told. */
export type Change = (latest: readonly StoredOrganization[]) => StoredOrganization;

/** `list`: the organizations as people see them, names in use among them. Throws at once if the base URL can't be used. */
export function newSignIn(
  { name, baseUrl: address, token }: SignIn,
  list: (latest: readonly StoredOrganization[]) => readonly Organization[],
): Change {
  const trimmed = name.trim();
  const parsed = parseBaseUrl(address);
  // The command has said what is wrong before; here it is only made sure that no token is kept for such an address.
  if (!parsed.ok) throw unusableBaseUrl();
  const baseUrl = parsed.url;
  return (latest) => {
    // Asked again, since another window may have taken the name meanwhile.
    const problem = nameProblem(trimmed, baseUrl, list(latest));
    if (problem) throw nameRefused(problem);
    const known = latest.find((other) => other.baseUrl === baseUrl && sameName(other.name, trimmed));
    return known ? { ...known, token } : { id: randomUUID(), name: trimmed, baseUrl, token };
  };
}

export function newSessionToken(id: string, token: string | undefined): Change {
  return (latest) => {
    const organization = latest.find((other) => other.id === id);
    if (!organization) throw signedOut();
    const { sessionToken: _, ...rest } = organization;
    return token === undefined ? rest : { ...rest, sessionToken: token };
  };
}
