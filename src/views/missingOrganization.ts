import * as vscode from 'vscode';
import { productName } from '../host/ids.js';
import type { Organizations } from '../host/organizations/organizations.js';

export interface StatusSummary {
  /** Codicon: how bad it is. */
  readonly icon: string;
  readonly text: string;
  /** For the screen reader, which sees neither the icon nor where the words come from. */
  readonly spoken: string;
}

/** What the status bar says without an organization: known without anything that has to be loaded. */
export function missingOrganization(missing: Organizations['missing']): StatusSummary | undefined {
  switch (missing) {
    case 'notSignedIn':
      return named('sign-in', vscode.l10n.t('not signed in'));
    case 'unreadable':
      return named('lock', vscode.l10n.t('keyring cannot be read'));
    case 'chooseOne':
      return named('organization', vscode.l10n.t('no organization chosen'));
    default:
      return undefined;
  }
}

/** Words that say nothing of deployments say whose they are: the status bar belongs to everybody. */
export function named(icon: string, words: string): StatusSummary {
  const text = spoken(words);
  return { icon, text, spoken: text };
}

export function spoken(words: string): string {
  return vscode.l10n.t('{product}: {text}', { product: productName, text: words });
}
