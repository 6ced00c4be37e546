import * as vscode from 'vscode';
import { showMyGroupsAction, UserError } from '../../host/actions.js';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { countsOfTotal } from '../../host/text/deployment.js';
import { groupText } from '../../host/text/groups.js';
import { countDeployments } from '../../model/findings/deployment.js';
import { compareGroups, deploymentsByGroup } from '../../model/groups.js';
import { inertLabel } from '../../model/inertText.js';
import { currentOrganization } from '../organizations.js';

/** Asks which groups are the user's own. With none checked, all are shown. */
export async function chooseGroups(services: Services): Promise<void> {
  await currentOrganization(services);
  const { myGroups, grouping, store } = services;
  if (!grouping.hasGroups)
    throw new UserError(vscode.l10n.t('No deployment in the list is in a group.'));
  const groups = deploymentsByGroup(store.deployments);
  const items = [...groups.keys()].toSorted(compareGroups).map((name) => ({
    name,
    label: inertLabel(groupText(name)),
    description: countsOfTotal(countDeployments(groups.get(name) ?? [])),
    picked: myGroups.chosen.includes(name),
  }));
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true });
  if (picked) await myGroups.choose(picked.map(({ name }) => name));
}

/** Shows all groups until the window is reloaded, and offers to undo that. */
export function showAllGroups({ myGroups }: Services): void {
  myGroups.showAll();
  const sentence = vscode.l10n.t('All groups are shown until the window is reloaded.');
  showMessage(sentence, showMyGroupsAction);
}
