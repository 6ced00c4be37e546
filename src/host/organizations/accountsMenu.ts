import * as vscode from 'vscode';
import { authenticationId, commandIds, productName } from '../ids.js';
import type { Log } from '../services.js';
import { showErrors } from '../showErrors.js';
import { organizationName } from '../text/organization.js';
import type { Organization } from './organization.js';
import type { Organizations } from './organizations.js';

/** The Accounts menu's list of organizations. Forks that lack authentication providers go without. */
export function registerAuthenticationProvider(organizations: Organizations, log: Log): vscode.Disposable {
  const provider = createAuthenticationProvider(organizations, log);
  try {
    const registration = vscode.authentication.registerAuthenticationProvider(authenticationId, productName, provider, {
      supportsMultipleAccounts: true,
    });
    return vscode.Disposable.from(registration, provider);
  } catch (error) {
    log.warn(`No organizations in the Accounts menu: ${error instanceof Error ? error.message : String(error)}`);
    return provider;
  }
}

/**
 * It serves that menu only: what a session calls `accessToken` is the opaque id, so that no other extension can get a token here.
 */
export function createAuthenticationProvider(
  organizations: Organizations,
  log: Log,
): vscode.AuthenticationProvider & vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  let known: readonly vscode.AuthenticationSession[] = organizations.list.map(sessionOf);
  const listener = organizations.onDidChange(() => {
    const before = known;
    known = organizations.list.map(sessionOf);
    const event = difference(before, known);
    if (event) changed.fire(event);
  });
  return {
    onDidChangeSessions: changed.event,
    async getSessions(_scopes, { account }) {
      await organizations.ready;
      known = organizations.list.map(sessionOf);
      return known.filter((session) => !account || session.account.id === account.id);
    },
    async createSession() {
      const id = await vscode.commands.executeCommand(commandIds.signIn);
      const organization = typeof id === 'string' ? organizations.get(id) : undefined;
      // Dismissed, or ended with an error that was shown already.
      if (!organization) throw new vscode.CancellationError();
      return sessionOf(organization);
    },
    async removeSession(id) {
      const signingOut = organizations.signOut(id);
      // VS Code drops the reason of a rejection: its menu would seem to have done nothing.
      await showErrors(log, () => signingOut)();
      await signingOut;
    },
    dispose() {
      listener.dispose();
      changed.dispose();
    },
  };
}

function sessionOf(organization: Organization): vscode.AuthenticationSession {
  const { id } = organization;
  return { id, accessToken: id, account: { id, label: organizationName(organization) }, scopes: [] };
}

/** `undefined`: nothing that the menu shows is different. */
function difference(
  before: readonly vscode.AuthenticationSession[],
  now: readonly vscode.AuthenticationSession[],
): vscode.AuthenticationProviderAuthenticationSessionsChangeEvent | undefined {
  const labels = new Map(before.map(({ id, account }) => [id, account.label]));
  const remaining = new Set(now.map(({ id }) => id));
  const added = now.filter(({ id }) => !labels.has(id));
  const removed = before.filter(({ id }) => !remaining.has(id));
  const renamed = now.filter(({ id, account }) => labels.has(id) && labels.get(id) !== account.label);
  return added.length + removed.length + renamed.length > 0 ? { added, removed, changed: renamed } : undefined;
}
