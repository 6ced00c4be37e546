import * as vscode from 'vscode';
import {
  chooseOrganizationAction,
  reloadWindowAction,
  showLogAction,
  signInAction,
  UserError,
} from '../actions.js';
import { maxAnswerMs } from '../inTime.js';

const maxAnswerSeconds = String(maxAnswerMs / 1000);

/**
 * An error that says that an organization is signed out, perhaps in another window, so that nothing
 * was done with it. `SignIns`, `Organizations`, and commands throw it.
 */
export class SignedOut extends UserError {
  constructor() {
    const sentence = vscode.l10n.t(
      'This organization is signed out. Choose another one or sign in again.',
    );
    super(sentence, [signInAction(), chooseOrganizationAction]);
  }
}

/** "VS Code’s secret storage cannot be read. Unlock the keyring or set one up; …" */
export function keyringUnreadable(): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage cannot be read. Unlock the keyring or set one up; reading is retried automatically.',
    ),
    [showLogAction],
  );
}

/** "VS Code’s secret storage has not answered for 10 seconds. If a prompt asks to unlock …" */
export function keyringWaiting(): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage has not answered for {seconds} seconds. If a prompt asks to unlock the keyring, answer it; otherwise, unlock the keyring or reload the window.',
      { seconds: maxAnswerSeconds },
    ),
    [reloadWindowAction(), showLogAction],
  );
}

/**
 * For a change that was not handed to the keyring, and will not be: "Nothing was changed, because
 * VS Code’s secret storage has not answered for 10 seconds. …"
 */
export function changeWithdrawn(): UserError {
  return new UserError(
    vscode.l10n.t(
      'Nothing was changed, because VS Code’s secret storage has not answered for {seconds} seconds. If a prompt asks to unlock the keyring, answer it; otherwise, unlock the keyring or reload the window. Then try again.',
      { seconds: maxAnswerSeconds },
    ),
    [reloadWindowAction(), showLogAction],
  );
}

/**
 * For a change that was handed to the keyring: "VS Code’s secret storage has not confirmed the
 * change for “Acme” for 10 seconds. It may still take effect: …"
 */
export function changeUnconfirmed(organizationName: string): UserError {
  return new UserError(
    vscode.l10n.t(
      'VS Code’s secret storage has not confirmed the change for “{name}” for {seconds} seconds. It may still take effect: a message will say what happened. If a prompt asks to unlock the keyring, answer it.',
      { name: organizationName, seconds: maxAnswerSeconds },
    ),
    [showLogAction],
  );
}

/** "Nothing was changed, because the keyring reported: The keyring is locked. Unlock it …" */
export function changeRefused(reason: string): UserError {
  const sentence = vscode.l10n.t(
    'Nothing was changed, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
    { reason },
  );
  return new UserError(sentence, [showLogAction]);
}

/**
 * For a change that was reported as unconfirmed before: "Nothing was changed for “Acme” after all,
 * because the keyring reported: The keyring is locked. Unlock it …"
 */
export function changeRefusedLate(reason: string, organizationName: string): UserError {
  const sentence = vscode.l10n.t(
    'Nothing was changed for “{name}” after all, because the keyring reported: {reason}. Unlock it or set one up, then try again.',
    { name: organizationName, reason },
  );
  return new UserError(sentence, [showLogAction]);
}

/**
 * "Nothing was changed, because another window has changed sign-ins since this window was loaded.
 * Reload this window, then try again."
 */
export function secretsOutdated(): UserError {
  return new UserError(
    vscode.l10n.t(
      'Nothing was changed, because another window has changed sign-ins since this window was loaded. Reload this window, then try again.',
    ),
    [reloadWindowAction()],
  );
}
