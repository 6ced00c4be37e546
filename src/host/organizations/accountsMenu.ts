import * as vscode from 'vscode';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { signInPrefill } from '../actions.js';
import { authenticationId, commandIds, productName } from '../ids.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
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
    const registration = vscode.authentication.registerAuthenticationProvider(
      authenticationId,
      productName,
      menu,
      {
        supportsMultipleAccounts: true,
      },
    );
    return vscode.Disposable.from(registration, menu);
  } catch (error) {
    log.warn(`No organizations in the Accounts menu: ${messageOf(error)}`);
    return menu;
  }
}

/** A session's `accessToken` is the opaque id, so that no other extension can get a token here. */
export class AccountsMenu extends DisposableOwner implements vscode.AuthenticationProvider {
  private readonly changed = this.own(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  private known: readonly vscode.AuthenticationSession[];
  readonly onDidChangeSessions = this.changed.event;

  constructor(
    private readonly organizations: Organizations,
    private readonly showError: (error: unknown) => void,
  ) {
    super();
    this.known = organizations.list.map(sessionOf);
    this.own(organizations.onDidChange(() => this.update()));
  }

  readonly getSessions: vscode.AuthenticationProvider['getSessions'] = async (
    _scopes,
    { account },
  ) => {
    await this.organizations.ready;
    return this.organizations.list
      .map(sessionOf)
      .filter((session) => !account || session.account.id === account.id);
  };

  /** With an account, another extension wants a new session of that one. */
  async createSession(
    _scopes: readonly string[],
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession> {
    const known = account && this.organizations.get(account.id);
    const id = await vscode.commands.executeCommand(commandIds.signIn, signInPrefill(known));
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

  private update(): void {
    const before = this.known;
    this.known = this.organizations.list.map(sessionOf);
    const added = this.known.filter(({ id }) => before.every((other) => other.id !== id));
    const removed = before.filter(({ id }) => this.known.every((other) => other.id !== id));
    if (added.length + removed.length > 0) this.changed.fire({ added, removed, changed: [] });
  }
}

function sessionOf(organization: Organization): vscode.AuthenticationSession {
  const { id } = organization;
  return {
    id,
    accessToken: id,
    account: { id, label: organizationName(organization) },
    scopes: [],
  };
}
