import * as vscode from 'vscode';
import type { KnownSecrets } from '../api/secrets.js';
import type { SetTimer } from '../model/timer.js';
import { chooseOrganization } from './chooseOrganization.js';
import { environmentId, environmentOrganization } from './environmentOrganization.js';
import { holdsToken } from './holdsToken.js';
import { Keyring } from './keyring.js';
import { lazy } from './lazy.js';
import type { Organization } from './organization.js';
import { inOrder } from './organizationOrder.js';
import type { Organizations } from './organizations.js';
import type { Log } from './services.js';
import { SignIns } from './signIns.js';
import { type StoredOrganization, withoutTokens } from './storedOrganization.js';

const chosenKey = 'organization';
/** What somebody decides, and what is said when it can't be done. */
const changes = lazy(() => import('./organizationChanges.js'));
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
      const { newSignIn } = await changes();
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
      if (id === environmentId) throw (await errors()).readOnly();
      const { newSessionToken } = await changes();
      if (token !== undefined) signIns.know(token);
      await signIns.save(newSessionToken(id, token));
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
