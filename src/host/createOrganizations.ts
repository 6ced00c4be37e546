import type * as vscode from 'vscode';
import type { KnownSecrets } from './knownSecrets.js';
import type { Organizations } from './organizations.js';
import type { Log } from './services.js';

export type OrganizationsContext = Pick<vscode.ExtensionContext, 'secrets' | 'workspaceState' | 'globalState'>;

export function createOrganizations(
  _context: OrganizationsContext,
  _log: Log,
  _secrets: KnownSecrets,
  _env: NodeJS.ProcessEnv = process.env,
): Organizations {
  throw new Error('not yet written');
}
