import { l10n } from 'vscode';
import type { Account } from '../../api/deploymentAuthorization.js';
import { shorten } from './shorten.js';

/** Host and port of a base URL; the text itself if it is none. */
export function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).host;
  } catch {
    return baseUrl;
  }
}

/** Label, else id, else service, else the words that say that none was sent. */
export function accountName(account: Account): string {
  const name = account.label || account.id || account.serviceId;
  return name ? shorten(name) : l10n.t('unnamed account');
}

/** "Finance Slack (slack)" */
export function accountWithService(account: Account): string {
  const name = accountName(account);
  return account.serviceId && account.serviceId !== name
    ? l10n.t('{account} ({service})', { account: name, service: shorten(account.serviceId) })
    : name;
}
