import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { confirm, mention } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import { keyringUnreadable } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { organizationItem } from './switchOrganization.js';

/** Forgets one organization, after the question that names what is forgotten. */
export async function signOut(services: Services): Promise<void> {
  const { organizations } = services;
  await organizations.ready;
  if (organizations.list.length === 0 && organizations.missing === 'unreadable') throw keyringUnreadable();
  const organization = await whichOne(services);
  if (!organization || !(await agreed(organization))) return;
  await organizations.signOut(organization.id);
  mention(vscode.l10n.t('You are signed out of “{name}”.', { name: organization.name }));
}

async function whichOne({ organizations }: Services): Promise<Organization | undefined> {
  const signedIn = organizations.list.filter((organization) => organization.source === 'keyring');
  if (signedIn.length === 0) throw nothingToSignOutOf(organizations.list.length > 0);
  // With the environment's organization listed too, the person may believe to sign out of that one, so the question is asked.
  if (signedIn.length === 1 && organizations.list.length === 1) return signedIn[0];
  const items = signedIn.map((organization) => organizationItem(organization, organizations.current));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign Out'),
    placeHolder: vscode.l10n.t('The organization to forget'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.organization;
}

function nothingToSignOutOf(hasEnvironment: boolean): UserError {
  return new UserError(
    hasEnvironment
      ? vscode.l10n.t(
          'The organization “environment” cannot be signed out of here: it comes from {token} and {baseUrl}. Remove these two environment variables and start VS Code again.',
          { token: 'AUTOMATION_PLATFORM_TOKEN', baseUrl: 'AUTOMATION_PLATFORM_BASE_URL' },
        )
      : vscode.l10n.t('You are not signed in to an organization.'),
  );
}

function agreed({ name, baseUrl, hasSessionToken }: Organization): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Sign out of “{name}”?', { name }),
    [
      baseUrl,
      hasSessionToken
        ? vscode.l10n.t('This machine forgets the access token, the user session token, and all data read with them.')
        : vscode.l10n.t('This machine forgets the access token and all data read with it.'),
      vscode.l10n.t('The list of deployments stays. Nothing happens on the server: the token stays valid there.'),
    ],
    vscode.l10n.t('Sign Out'),
  );
}
