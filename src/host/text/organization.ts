import { l10n } from 'vscode';
import { shorten } from '../../model/inertText.js';
import type { Organization } from '../organizations/organization.js';

/** "my.host:8443" of "https://my.host:8443/api/v1"; text that is no URL is returned unchanged. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/**
 * "Acme", "environment (from environment variables)". The texts of `failureWords` have the bare
 * name instead.
 */
export function organizationName(organization: Organization): string {
  return organization.source === 'environment'
    ? l10n.t('{name} (from environment variables)', { name: shorten(organization.name) })
    : shorten(organization.name);
}
