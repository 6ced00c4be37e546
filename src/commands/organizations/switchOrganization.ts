import * as vscode from 'vscode';
import { signInAction } from '../../host/actions.js';
import type { Organization } from '../../host/organizations/organization.js';
import { keyringUnreadable } from '../../host/organizations/refusals.js';
import type { Services } from '../../host/services.js';
import { organizationName } from '../../host/text/organization.js';
import { inertLabel } from '../../model/inertText.js';
import { signIn } from './signIn.js';

/** Which of the known organizations this workspace uses; another one can be added from here. */
export async function switchOrganization(services: Services): Promise<void> {
  const { organizations, store } = services;
  const known = (await knownOrganizations(services)).map((organization) => organizationItem(services, organization));
  const another = { label: signInAction().title, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true };
  const chosen = await vscode.window.showQuickPick([...known, another], {
    title: vscode.l10n.t('Switch Organization'),
    placeHolder: vscode.l10n.t('Select the organization for this workspace'),
    matchOnDetail: true,
  });
  if (!chosen) return;
  if (!('organization' in chosen)) {
    await signIn(services, {});
    return;
  }
  const before = organizations.current?.id;
  await organizations.use(chosen.organization.id);
  // Also with automatic refresh turned off: a switch asks for the state there.
  if (chosen.organization.id !== before && store.deployments.length > 0) void store.refresh();
}

export async function knownOrganizations({ organizations }: Services): Promise<readonly Organization[]> {
  await organizations.ready;
  if (organizations.list.length === 0 && organizations.missing === 'unreadable') throw keyringUnreadable();
  return organizations.list;
}

/** One organization in a quick pick: name, base URL, and where it comes from. */
export function organizationItem({ organizations }: Services, organization: Organization) {
  const isCurrent = organization.id === organizations.current?.id;
  const variable = 'AUTOMATION_PLATFORM_TOKEN';
  const source =
    organization.source === 'environment'
      ? vscode.l10n.t('from the environment variable {variable}, read-only', { variable })
      : organization.hasSessionToken
        ? vscode.l10n.t('signed in, with a user session token')
        : vscode.l10n.t('signed in');
  return {
    organization,
    label: inertLabel(organizationName(organization)),
    description: isCurrent ? vscode.l10n.t('used by this workspace') : '',
    detail: inertLabel(`${organization.baseUrl} · ${source}`, 400),
    iconPath: new vscode.ThemeIcon(isCurrent ? 'check' : 'organization'),
  };
}
