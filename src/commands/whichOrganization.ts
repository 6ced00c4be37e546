import * as vscode from 'vscode';
import type { Organization } from '../host/organizations/organization.js';
import { keyringUnreadable } from '../host/organizations/refusals.js';
import type { Services } from '../host/services.js';
import { organizationName, signInStep, switchOrganizationStep } from '../host/text.js';
import { UserError } from '../host/userError.js';
import { inertLabel } from '../model/inertText.js';

/** The organization that this workspace uses; without one, the sentence that says what to do. */
export async function currentOrganization({ organizations }: Services): Promise<Organization> {
  await organizations.ready;
  if (organizations.current) return organizations.current;
  if (organizations.missing === 'unreadable') throw keyringUnreadable();
  throw organizations.missing === 'chooseOne'
    ? new UserError(vscode.l10n.t('This workspace does not use any of your organizations yet. Choose one first.'), [
        switchOrganizationStep(),
      ])
    : new UserError(vscode.l10n.t('You are not signed in to an organization.'), [signInStep()]);
}

export interface OrganizationItem extends vscode.QuickPickItem {
  readonly organization: Organization;
}

/** One organization in a quick pick: name, base URL, and where it comes from. */
export function organizationItem(organization: Organization, current: Organization | undefined): OrganizationItem {
  const isCurrent = organization.id === current?.id;
  return {
    organization,
    label: inertLabel(organizationName(organization)),
    description: isCurrent ? vscode.l10n.t('used by this workspace') : '',
    detail: inertLabel(`${organization.baseUrl} · ${sourceText(organization)}`, 400),
    iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : 'organization'),
  };
}

function sourceText(organization: Organization): string {
  return organization.source === 'environment'
    ? vscode.l10n.t('from {variable} of the environment, read-only', { variable: 'AUTOMATION_PLATFORM_TOKEN' })
    : organization.hasSessionToken
      ? vscode.l10n.t('signed in, with a user session token')
      : vscode.l10n.t('signed in');
}
