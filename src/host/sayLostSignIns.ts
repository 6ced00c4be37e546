import * as vscode from 'vscode';
import { signInAction } from './actions.js';
import { showWarning } from './messages.js';
import type { Organizations } from './organizations/organizations.js';

/** The keyring lost a sign-in: one notification with Sign In. `Organizations` sees to it that each loss is said once. */
export function sayLostSignIns(organizations: Organizations): vscode.Disposable {
  return organizations.onDidLoseSignIn(() => void say());
}

async function say(): Promise<void> {
  const sentence = vscode.l10n.t('The keyring of this machine lost this sign-in. Sign in again.');
  await showWarning(sentence, [signInAction()]);
}
