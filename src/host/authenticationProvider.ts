import type * as vscode from 'vscode';
import type { Organizations } from './organizations.js';
import type { Log } from './services.js';

/** The Accounts menu's list of organizations. Forks that lack authentication providers get none. */
export function registerAuthenticationProvider(_organizations: Organizations, _log: Log): vscode.Disposable {
  throw new Error('not yet written');
}
