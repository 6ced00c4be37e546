import * as vscode from 'vscode';
import { addDeploymentAction, UserError } from '../../host/actions.js';
import { grayIcon, stateIcon } from '../../host/icons.js';
import type { Services } from '../../host/services.js';
import { deploymentSummary } from '../../host/text/deployment.js';
import { parts } from '../../host/text/format.js';
import type { Deployment } from '../../model/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import { compareNames, severity } from '../../model/order.js';
import { chosenDeployments, type Row } from '../arguments.js';

type DeploymentItem = vscode.QuickPickItem & { readonly deployment: Deployment };

/** The listed deployments that rows, a selection or an id stand for, else those that are picked: one, or several; none if dismissed. */
export async function chooseDeployments(
  services: Services,
  rows: readonly Row[],
  title: string,
  options: vscode.QuickPickOptions = {},
  among?: readonly Deployment[],
): Promise<readonly Deployment[]> {
  const chosen = chosenDeployments(services, rows);
  if (chosen.length > 0) return chosen;
  // An array where several can be picked, which only a literal `canPickMany` would tell the type.
  const picked: DeploymentItem | readonly DeploymentItem[] | undefined = await vscode.window.showQuickPick(
    deploymentItems(services, among ?? listedDeployments(services)),
    { placeHolder: vscode.l10n.t('Label, ID, or state'), ...options, title, matchOnDescription: true },
  );
  return [picked ?? []].flat().map(({ deployment }) => deployment);
}

export function deploymentItems(
  { store }: Pick<Services, 'store'>,
  deployments: readonly Deployment[],
): DeploymentItem[] {
  const now = Date.now();
  const isOld = store.cause?.kind === 'failure';
  return deployments.map((deployment) => {
    const { id, name, state } = deployment;
    const description = inertLabel(parts(name === id ? undefined : id, deploymentSummary(deployment, now)), 400);
    return {
      deployment,
      label: inertLabel(name),
      description,
      iconPath: isOld ? grayIcon(stateIcon(state)) : stateIcon(state),
    };
  });
}

/** Worst first. Without an organization the store may be empty, but the list can still be edited. */
export function listedDeployments({ store, deploymentList }: Services): readonly Deployment[] {
  if (store.deployments.length > 0) return worstFirst(store);
  if (deploymentList.listed.length === 0) {
    throw new UserError(vscode.l10n.t('The list of deployments is empty.'), [addDeploymentAction]);
  }
  return deploymentList.listed.map((listed) => ({
    ...listed,
    name: listed.label ?? listed.id,
    state: 'notYetRead',
    activity: 'idle',
  }));
}

/** A refresh of all keeps the store's order until it ends, so that rows don't jump. A list that opens now is sorted. */
function worstFirst({ deployments, progress }: Services['store']): readonly Deployment[] {
  if (!progress) return deployments;
  return deployments.toSorted((a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name));
}
