import * as vscode from 'vscode';
import { signInAction, switchOrganizationAction, UserError } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import { keyringUnreadable, signedOut } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';

/** The organization that this workspace uses; without one, the sentence that says what to do. */
export async function currentOrganization({ organizations }: Services): Promise<Organization> {
  await organizations.ready;
  if (organizations.current) return organizations.current;
  throw noOrganization(organizations);
}

export function noOrganization({ missing }: Pick<Organizations, 'missing'>): UserError {
  if (missing === 'unreadable') return keyringUnreadable();
  if (missing === 'chosenGone') return signedOut();
  return missing === 'chooseOne'
    ? new UserError(vscode.l10n.t('Select an organization for this workspace first.'), [switchOrganizationAction])
    : new UserError(vscode.l10n.t('You are not signed in.'), [signInAction()]);
}
