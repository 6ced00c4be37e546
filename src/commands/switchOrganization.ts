import * as vscode from 'vscode';
import { keyringUnreadable } from '../host/organizations/refusals.js';
import type { Services } from '../host/services.js';
import { signInStep } from '../host/text.js';
import { signIn } from './signIn.js';
import { type OrganizationItem, organizationItem } from './whichOrganization.js';

/** Which of the known organizations this workspace uses; another one can be added from here. */
export async function switchOrganization(services: Services): Promise<void> {
  const { organizations, store } = services;
  await organizations.ready;
  if (organizations.list.length === 0 && organizations.missing === 'unreadable') throw keyringUnreadable();
  const known = organizations.list.map((organization) => organizationItem(organization, organizations.current));
  const another = { label: signInStep().title, iconPath: new vscode.ThemeIcon('add'), alwaysShow: true };
  const items: readonly (OrganizationItem | vscode.QuickPickItem)[] = [...known, another];
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Switch Organization'),
    placeHolder: vscode.l10n.t('The organization that this workspace uses'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  if (!('organization' in chosen)) {
    await signIn(services);
    return;
  }
  const before = organizations.current?.id;
  await organizations.use(chosen.organization.id);
  // Whoever switches wants to see the other's state, with automatic refresh turned off too.
  if (chosen.organization.id !== before && store.deployments.length > 0) void store.refreshAll();
}
