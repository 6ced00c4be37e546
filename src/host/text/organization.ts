import { l10n } from 'vscode';
import { shorten } from '../../model/inertText.js';
import type { Organization } from '../organizations/organization.js';

export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}

/** The organization where it stands alone: the environment's is marked as such. Sentences use the bare name. */
export function organizationName(organization: Organization): string {
  return organization.source === 'environment'
    ? l10n.t('{name} (from environment variables)', { name: shorten(organization.name) })
    : shorten(organization.name);
}
