import * as vscode from 'vscode';
import { showMyGroupsAction, UserError } from '../../host/actions.js';
import { commandIds } from '../../host/ids.js';
import { showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { countsOfTotal } from '../../host/text/deployment.js';
import { groupText } from '../../host/text/groups.js';
import { countDeployments } from '../../model/findings/deployment.js';
import { compareGroups, deploymentsByGroup, hasGroups } from '../../model/groups.js';
import { inertLabel } from '../../model/inertText.js';
import { currentOrganization } from '../organizations.js';
import { pickAnyChecked } from '../quickPick.js';

/**
 * Asks which groups are the user's own, and saves the choice in this workspace. With none checked,
 * all are shown. Rejects if no deployment is in a group, or without an organization, because the
 * view is empty then.
 */
export async function chooseGroups(services: Services): Promise<void> {
  await currentOrganization(services);
  const { myGroups, store } = services;
  if (!hasGroups(store.deployments)) {
    const setGroupAction = {
      title: vscode.l10n.t('Set Group...'),
      command: commandIds.setGroup,
    };
    throw new UserError(vscode.l10n.t('No deployment in the list is in a group.'), [
      setGroupAction,
    ]);
  }

  const groups = deploymentsByGroup(store.deployments);
  const chosen = new Set(myGroups.chosen);
  const items = [...groups.keys()].toSorted(compareGroups).map((name) => ({
    name,
    label: inertLabel(groupText(name)),
    description: countsOfTotal(countDeployments(groups.get(name) ?? [])),
    picked: chosen.has(name),
  }));
  const checked = await pickAnyChecked(items, {
    title: vscode.l10n.t('Choose My Groups'),
    placeholder: vscode.l10n.t(
      'Your own choice, in this workspace only. With none checked, all are shown.',
    ),
  });
  if (checked === undefined) return;
  await myGroups.choose(checked.map(({ name }) => name));
  await services.focus();
}

/** Shows all groups until the window is reloaded, and offers to undo that. */
export function showAllGroups({ myGroups }: Services): void {
  myGroups.showAll();
  const sentence = vscode.l10n.t('All groups are shown until the window is reloaded.');
  showMessage(sentence, showMyGroupsAction);
}
