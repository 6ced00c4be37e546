import * as vscode from 'vscode';
import { authenticationId, commandIds, productName } from '../ids.js';
import type { Log } from '../log.js';
import { organizationName } from '../text/organization.js';
import type { Organization } from './organization.js';
import type { Organizations } from './organizations.js';

/** The Accounts menu's list of organizations. Forks that lack authentication providers go without. */
export function registerAccountsMenu(
  organizations: Organizations,
  log: Pick<Log, 'warn'>,
  showError: (error: unknown) => void,
): vscode.Disposable {
  const menu = new AccountsMenu(organizations, showError);
  try {
    const registration = vscode.authentication.registerAuthenticationProvider(authenticationId, productName, menu, {
      supportsMultipleAccounts: true,
    });
    return vscode.Disposable.from(registration, menu);
  } catch (error) {
    log.warn(`No organizations in the Accounts menu: ${error instanceof Error ? error.message : String(error)}`);
    return menu;
  }
}

/** A session's `accessToken` is the opaque id, so that no other extension can get a token here. */
export class AccountsMenu implements vscode.AuthenticationProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  private readonly listener: vscode.Disposable;
  private known: readonly vscode.AuthenticationSession[];
  readonly onDidChangeSessions = this.changed.event;

  constructor(
    private readonly organizations: Organizations,
    private readonly showError: (error: unknown) => void,
  ) {
    this.known = organizations.list.map(sessionOf);
    this.listener = organizations.onDidChange(() => {
      const before = this.known;
      this.known = organizations.list.map(sessionOf);
      const event = difference(before, this.known);
      if (event) this.changed.fire(event);
    });
  }

  async getSessions(
    _scopes: readonly string[] | undefined,
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession[]> {
    await this.organizations.ready;
    this.known = this.organizations.list.map(sessionOf);
    return this.known.filter((session) => !account || session.account.id === account.id);
  }

  async createSession(): Promise<vscode.AuthenticationSession> {
    const id = await vscode.commands.executeCommand(commandIds.signIn);
    const organization = typeof id === 'string' ? this.organizations.get(id) : undefined;
    // The command was dismissed, or has shown its error already.
    if (!organization) throw new vscode.CancellationError();
    return sessionOf(organization);
  }

  async removeSession(id: string): Promise<void> {
    try {
      await this.organizations.signOut(id);
    } catch (error) {
      // VS Code does not show why this rejects, so the menu would seem to have done nothing.
      this.showError(error);
      throw error;
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.changed.dispose();
  }
}

function sessionOf(organization: Organization): vscode.AuthenticationSession {
  const { id } = organization;
  return { id, accessToken: id, account: { id, label: organizationName(organization) }, scopes: [] };
}

/** `undefined`: the menu shows the same as before. */
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
