import * as vscode from 'vscode';
import { DisposableOwner } from '../../model/base/disposableOwner.js';
import { signInPrefill } from '../actions.js';
import { authenticationId, commandIds, productName } from '../ids.js';
import type { Log } from '../log.js';
import { messageOf } from '../messages.js';
import { organizationName } from '../text/organization.js';
import type { Organization } from './organization.js';
import type { Organizations } from './organizations.js';

/**
 * Lists the organizations in VS Code's Accounts menu. A fork of VS Code without authentication
 * providers lists none: then only the log says so.
 */
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
      { supportsMultipleAccounts: true },
    );
    return vscode.Disposable.from(registration, menu);
  } catch (error) {
    log.warn(`No organizations in the Accounts menu: ${messageOf(error)}`);
    return menu;
  }
}

/**
 * The authentication provider that VS Code asks for the sessions of its Accounts menu: one session
 * for each organization. The session's `accessToken` is the organization's opaque ID, so that no
 * other extension can get a token here.
 */
export class AccountsMenu extends DisposableOwner implements vscode.AuthenticationProvider {
  private readonly changed = this.own(
    new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>(),
  );
  /** The sessions as VS Code was last informed of them. */
  private reportedSessions: readonly vscode.AuthenticationSession[];
  readonly onDidChangeSessions = this.changed.event;

  constructor(
    private readonly organizations: Organizations,
    private readonly showError: (error: unknown) => void,
  ) {
    super();
    this.reportedSessions = organizations.list.map(sessionOf);
    this.own(organizations.onDidChange(() => this.reportChanges()));
  }

  /** Waits until the keyring is read, or for 10 s. */
  readonly getSessions: vscode.AuthenticationProvider['getSessions'] = async (
    _scopes,
    { account },
  ) => {
    await this.organizations.ready;
    const sessions = this.organizations.list.map(sessionOf);
    return sessions.filter((session) => !account || session.account.id === account.id);
  };

  /**
   * Opens Sign In. With an account, another extension wants a new session of this account, so its
   * token is replaced. Rejects with a `CancellationError` if the user does not sign in.
   */
  async createSession(
    _scopes: readonly string[],
    { account }: vscode.AuthenticationProviderSessionOptions,
  ): Promise<vscode.AuthenticationSession> {
    const replaced = account && this.organizations.get(account.id);
    const id = await vscode.commands.executeCommand(commandIds.signIn, signInPrefill(replaced));
    const organization = typeof id === 'string' ? this.organizations.get(id) : undefined;
    // The command was dismissed, or has shown its error already.
    if (!organization) throw new vscode.CancellationError();
    return sessionOf(organization);
  }

  /** Signs out of the organization with this ID. Shows the error with which it rejects. */
  async removeSession(id: string): Promise<void> {
    try {
      await this.organizations.signOut(id);
    } catch (error) {
      // VS Code does not show why this rejects, so the menu would seem to have done nothing.
      this.showError(error);
      throw error;
    }
  }

  private reportChanges(): void {
    const before = this.reportedSessions;
    const after = this.organizations.list.map(sessionOf);
    this.reportedSessions = after;
    const added = sessionsMissingIn(before, after);
    const removed = sessionsMissingIn(after, before);
    if (added.length + removed.length > 0) this.changed.fire({ added, removed, changed: [] });
  }
}

/** Returns the sessions whose ID is not in `others`. */
function sessionsMissingIn(
  others: readonly vscode.AuthenticationSession[],
  sessions: readonly vscode.AuthenticationSession[],
): readonly vscode.AuthenticationSession[] {
  return sessions.filter(({ id }) => others.every((other) => other.id !== id));
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
