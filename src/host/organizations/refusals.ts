import * as vscode from 'vscode';
import { showLogAction, signInAction, switchOrganizationAction, UserError } from '../actions.js';
import { hostOf } from '../text/organization.js';
import { environmentVariables } from './environment.js';
import { environmentName, type NameProblem } from './organization.js';

/** Why this name can't be used and what to do, for the sign-in's input box. Plain text, not yet inert. */
export function nameProblemSentence(problem: NameProblem): string {
  switch (problem.kind) {
    case 'empty':
      return vscode.l10n.t('Enter a name.');
    case 'tooLong':
      return vscode.l10n.t('Enter a shorter name.');
    case 'reserved':
      return vscode.l10n.t(
        '“{name}” is reserved for the organization of the environment variables. Enter another name.',
        { name: environmentName },
      );
    case 'taken':
      return vscode.l10n.t('“{name}” is already the name of an organization on {host}. Enter another name.', {
        name: problem.organization.name,
        host: hostOf(problem.organization.baseUrl),
      });
    default:
      return problem satisfies never;
  }
}

export function nameRefused(problem: NameProblem): UserError {
  return new UserError(nameProblemSentence(problem), [signInAction()]);
}

export function unusableBaseUrl(): UserError {
  return new UserError(vscode.l10n.t('This base URL cannot be used. Sign in with another one.'), [signInAction()]);
}

export function signedOut(): UserError {
  return new UserError(vscode.l10n.t('This organization is signed out. Choose another one or sign in again.'), [
    switchOrganizationAction(),
    signInAction(),
  ]);
}

/** Also what the Accounts menu says when somebody signs out of it there. */
export function environmentSignOut(): UserError {
  return new UserError(
    vscode.l10n.t(
      'This organization comes from the environment variables {token} and {baseUrl}. To sign out of it, remove both and start VS Code again.',
      environmentVariables,
    ),
  );
}

export function readOnly(): UserError {
  return new UserError(
    vscode.l10n.t(
      'This organization comes from the environment variables {token} and {baseUrl} and cannot be changed here. Sign in to keep a user session token.',
      environmentVariables,
    ),
    [signInAction()],
  );
}

export function keyringUnreadable(): UserError {
  return new UserError(
    vscode.l10n.t(
      'The keyring of this machine cannot be read, so your sign-ins are not known. Unlock it or set one up; it is tried again by itself.',
    ),
    [showLogAction()],
  );
}

export function keyringRefused(reason: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'The keyring of this machine refused: {reason}. Unlock it or set one up, and try again; nothing was changed.',
      { reason },
    ),
    [showLogAction()],
  );
}
