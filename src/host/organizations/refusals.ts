import { l10n } from 'vscode';
import { showLogAction, signInAction, switchOrganizationAction, UserError } from '../actions.js';
import { environmentVariables } from '../text/environment.js';
import { hostOf } from '../text/organization.js';
import { environmentId, type Organization, sameName } from './organization.js';

const maxNameChars = 100;

/** Why a sign-in with this base URL can't have this name. One with the base URL of its owner replaces that one's token. */
export function nameProblem(name: string, baseUrl: string, organizations: readonly Organization[]): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return l10n.t('Enter a name.');
  if (trimmed.length > maxNameChars) return l10n.t('Enter a shorter name.');
  if (sameName(trimmed, environmentId)) return l10n.t('“{name}” is reserved. Enter another name.', { name: trimmed });
  const owner = organizations.find((other) => sameName(other.name, trimmed));
  if (!owner || owner.baseUrl === baseUrl) return undefined;
  const values = { name: owner.name, host: hostOf(owner.baseUrl) };
  return l10n.t('“{name}” is already the name of an organization on {host}. Enter another name.', values);
}

export function signedOut(): UserError {
  const sentence = l10n.t('This organization is signed out. Choose another one or sign in again.');
  return new UserError(sentence, [signInAction(), switchOrganizationAction]);
}

/** The Accounts menu offers to sign out of it, too. */
export function environmentSignOut(): UserError {
  return new UserError(
    l10n.t(
      'The organization “environment” comes from {token} and {baseUrl}. To sign out, remove both variables and restart VS Code.',
      environmentVariables,
    ),
  );
}

export function keyringUnreadable(): UserError {
  return new UserError(
    l10n.t('The keyring of this machine cannot be read. Unlock it or set one up; reading is retried automatically.'),
    [showLogAction],
  );
}
