import * as vscode from 'vscode';
import { commandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { deploymentSummary, parts } from '../host/text.js';
import { UserError } from '../host/userError.js';
import type { Deployment } from '../model/deployment.js';
import { inertLabel } from '../model/inertText.js';
import type { State } from '../model/state.js';

export interface DeploymentItem extends vscode.QuickPickItem {
  readonly deployment: Deployment;
}

interface Wording {
  readonly title: string;
  readonly placeholder: string;
}

/** One of the listed deployments, worst first; `undefined` if the list was dismissed. */
export async function pickDeployment(services: Services, wording: Wording): Promise<Deployment | undefined> {
  const item = await vscode.window.showQuickPick(deploymentItems(services), options(wording));
  return item?.deployment;
}

/** Several of them. */
export async function pickDeployments(services: Services, wording: Wording): Promise<readonly Deployment[]> {
  const items = await vscode.window.showQuickPick(deploymentItems(services), {
    ...options(wording),
    canPickMany: true,
  });
  return (items ?? []).map((item) => item.deployment);
}

/** Every listed deployment as an item: label, id, state. The icon says the state too, in the colours of the tree. */
export function deploymentItems(services: Services): readonly DeploymentItem[] {
  const deployments = listedDeployments(services);
  const now = Date.now();
  return deployments.map((deployment) => ({
    deployment,
    label: inertLabel(deployment.name),
    description: inertLabel(
      parts(deployment.name === deployment.id ? undefined : deployment.id, deploymentSummary(deployment, now)),
      400,
    ),
    iconPath: icons[deployment.state],
  }));
}

/**
 * Worst first; with nothing listed, the sentence that says what to do. Without an organization the store may be empty, and the
 * list can still be edited.
 */
export function listedDeployments({ store, deploymentList }: Services): readonly Deployment[] {
  if (store.deployments.length > 0) return store.deployments;
  if (deploymentList.listed.length === 0) {
    throw new UserError(vscode.l10n.t('No deployment is in the list.'), [
      { title: vscode.l10n.t('Add Deployment…'), command: commandIds.addDeployment },
    ]);
  }
  return deploymentList.listed.map((listed) => ({
    ...listed,
    name: listed.label ?? listed.id,
    state: 'notYetRead',
    activity: 'idle',
  }));
}

function options({ title, placeholder }: Wording) {
  return { title, placeHolder: placeholder, matchOnDescription: true };
}

/** One object per state: 10,000 items share five. */
const icons: Readonly<Record<State, vscode.ThemeIcon>> = {
  failed: new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground')),
  notSatisfied: new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground')),
  unknown: new vscode.ThemeIcon('question'),
  notYetRead: new vscode.ThemeIcon('circle-large-outline'),
  satisfied: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
};
