import * as vscode from 'vscode';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { grayIcon, stateIcons } from '../../host/icons.js';
import type { Services } from '../../host/services.js';
import { asOfTime } from '../../host/text/cause.js';
import { stateLine } from '../../host/text/deployment.js';
import { parts } from '../../host/text/format.js';
import { ignoredText } from '../../host/text/ignored.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { compareNames, severity } from '../../model/findings/order.js';
import { inertLabel } from '../../model/inertText.js';
import { chosenDeployments, type Row } from '../arguments.js';

export interface DeploymentChoice extends Pick<vscode.QuickPickOptions, 'canPickMany' | 'placeHolder'> {
  readonly among?: readonly Deployment[];
  readonly areAllPicked?: boolean;
}

export async function chooseDeployments(
  services: Services,
  rows: readonly Row[],
  title: string,
  { among, areAllPicked = false, ...options }: DeploymentChoice = {},
): Promise<readonly Deployment[]> {
  const chosen = chosenDeployments(services.store, rows);
  if (chosen.length > 0) return chosen;
  const now = Date.now();
  const { asOf } = services.verdictAge;
  const isGray = services.store.cause?.kind === 'failure';
  const items = (among ?? listedDeployments(services)).map((deployment) => {
    const { id, state } = deployment;
    const name = shortName(deployment, 100);
    const saysId = name === id || name.endsWith(`(${id})`);
    // A screen reader reads the state before the ID.
    const description = parts(stateLine(deployment, { now, memory: services.memory }), saysId ? undefined : id);
    return {
      deployment,
      label: inertLabel(name),
      description: inertLabel(description, 400),
      iconPath: isGray ? grayIcon(stateIcons[state]) : stateIcons[state],
      picked: areAllPicked,
    };
  });
  type Picked = (typeof items)[number] | typeof items;
  const placeHolder = vscode.l10n.t('Label, ID, or state');
  // An array where several can be picked, which only a literal `canPickMany` would tell the type.
  const picked: Picked =
    (await vscode.window.showQuickPick(items, {
      placeHolder,
      ...options,
      title: parts(title, asOf === undefined ? undefined : asOfTime(asOf)),
      matchOnDescription: true,
    })) ?? [];
  return [picked].flat().map(({ deployment }) => deployment);
}

/** Worst first, also during a refresh, while the store keeps its order. */
export function listedDeployments({ store, ignoredSettings }: Services): readonly Deployment[] {
  const ignored = ignoredSettings.current;
  if (store.deployments.length === 0 && ignored.deployments) {
    throw new UserError(ignoredText(ignored), [remedyAction('manageTrust')!, addDeploymentAction]);
  }
  if (store.deployments.length === 0) {
    throw new UserError(vscode.l10n.t('The list of deployments is empty.'), [addDeploymentAction]);
  }
  return store.deployments.toSorted((a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name));
}
