import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { parseBaseUrl } from '../api/baseUrl.js';
import type { KnownSecrets } from '../api/secrets.js';
import type { SetTimer } from '../model/timer.js';
import { chooseOrganization } from './chooseOrganization.js';
import { environmentId, environmentOrganization } from './environmentOrganization.js';
import { holdsToken } from './holdsToken.js';
import { Keyring } from './keyring.js';
import { lazy } from './lazy.js';
import type { Organization } from './organization.js';
import { inOrder, nameProblem, sameName } from './organizationName.js';
import type { Organizations } from './organizations.js';
import type { Log } from './services.js';
import { SignIns } from './signIns.js';
import { type StoredOrganization, withoutTokens } from './storedOrganization.js';

const chosenKey = 'organization';
/** What is said when something can't be done. */
const errors = lazy(() => import('./organizationErrors.js'));

export type OrganizationsContext = Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState' | 'globalState'>;

export function createOrganizations(
  context: OrganizationsContext,
  log: Log,
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
  const choice = () => chooseOrganization(chosen, list, signIns.loaded);
  const remember = (id: string): Thenable<void> => workspaceState.update(chosenKey, id);

  return {
    onDidChange: changed.event,
    onDidLoseSignIn: signIns.onDidLose,
    ready: signIns.ready,
    get list() {
      return list;
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
    async signIn({ name, baseUrl: address, token }) {
      const { nameRefused, unusableBaseUrl } = await errors();
      const trimmed = name.trim();
      const parsed = parseBaseUrl(address);
      // The command has said what is wrong before; here it is only made sure that no token is kept for such an address.
      if (!parsed.ok) throw unusableBaseUrl();
      const baseUrl = parsed.url;
      // Before the keyring is asked anything: it may repeat what it is given.
      signIns.know(token);
      const saved = await signIns.save(
        (latest) => {
          // Asked again, since another window may have taken the name meanwhile.
          const problem = nameProblem(trimmed, baseUrl, listOf(latest));
          if (problem) throw nameRefused(problem);
          const known = latest.find((other) => other.baseUrl === baseUrl && sameName(other.name, trimmed));
          return known ? { ...known, token } : { id: randomUUID(), name: trimmed, baseUrl, token };
        },
        ({ id }) => {
          chosen = id;
        },
      );
      await remember(saved.id);
      return withoutTokens(saved, 'keyring');
    },
    async setSessionToken(id, token) {
      const { readOnly, signedOut } = await errors();
      if (id === environmentId) throw readOnly();
      if (token !== undefined) signIns.know(token);
      await signIns.save((latest) => {
        const organization = latest.find((other) => other.id === id);
        if (!organization) throw signedOut();
        const { sessionToken: _, ...rest } = organization;
        return token === undefined ? rest : { ...rest, sessionToken: token };
      });
    },
    async signOut(id) {
      if (id === environmentId) throw (await errors()).environmentSignOut();
      await signIns.delete(id);
    },
    async use(id) {
      if (!get(id)) throw (await errors()).signedOut();
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
