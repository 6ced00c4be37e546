import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { confirm, mention } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import { environmentSignOut } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { knownOrganizations, organizationItem } from './switchOrganization.js';

/** Forgets one organization, after the question that names what is forgotten. */
export async function signOut(services: Services): Promise<void> {
  const organization = await signedInOne(services);
  if (!organization) return;
  const { id, name, baseUrl, hasSessionToken } = organization;
  const forgotten = hasSessionToken
    ? vscode.l10n.t('Both tokens and all data read with them are deleted from this machine.')
    : vscode.l10n.t('The access token and all data read with it are deleted from this machine.');
  const kept = vscode.l10n.t('The list of deployments stays. The token stays valid on the server.');
  const question = vscode.l10n.t('Sign out of “{name}”?', { name });
  if (!(await confirm(question, [baseUrl, forgotten, kept], vscode.l10n.t('Sign Out')))) return;
  await services.organizations.signOut(id);
  mention(vscode.l10n.t('Signed out of “{name}”.', { name }));
}

async function signedInOne(services: Services): Promise<Organization | undefined> {
  const known = await knownOrganizations(services);
  const signedIn = known.filter((organization) => organization.source === 'keyring');
  if (signedIn.length === 0) {
    throw known.length > 0 ? environmentSignOut() : new UserError(vscode.l10n.t('You are not signed in.'));
  }
  // With the environment's organization listed too, the person may believe to sign out of that one, so the question is asked.
  if (known.length === 1) return signedIn[0];
  const items = signedIn.map((organization) => organizationItem(services, organization));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign Out'),
    placeHolder: vscode.l10n.t('Select the organization to sign out of'),
    matchOnDetail: true,
  });
  return chosen?.organization;
}
