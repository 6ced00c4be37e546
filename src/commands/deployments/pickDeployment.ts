import * as vscode from 'vscode';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { grayIcon, stateIcons } from '../../host/icons.js';
import type { Services } from '../../host/services.js';
import { asOfTime } from '../../host/text/cause.js';
import { stateWithCauses } from '../../host/text/deployment.js';
import { joinWithDots } from '../../host/text/format.js';
import { ignoredText } from '../../host/text/ignored.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { compareNames, severity } from '../../model/findings/order.js';
import { inertLabel } from '../../model/inertText.js';
import { chosenDeployments, type Row, readRows } from '../arguments.js';
import { pickMany, pickOne } from '../quickPick.js';

export interface DeploymentChoice {
  readonly placeholder?: string;
  readonly canPickMany?: boolean;
  readonly among?: readonly Deployment[];
  /** Unless rows are selected in the tree. */
  readonly areAllPicked?: boolean;
}

/**
 * Returns the deployments of these rows, or those that the user picks. Without rows, those that are selected in the
 * tree are suggested. Empty if the user dismisses the list.
 */
export async function chooseDeployments(
  services: Services,
  rows: readonly Row[],
  title: string,
  { canPickMany = false, areAllPicked = false, ...choice }: DeploymentChoice = {},
): Promise<readonly Deployment[]> {
  const chosen = chosenDeployments(services.store, rows);
  if (chosen.length > 0) return chosen;
  const among = choice.among ?? listedDeployments(services);
  if (among.length === 1) return among;
  const selected = new Set(selectedAmong(services, among));
  const now = Date.now();
  const { asOf } = services.verdictAge;
  const isGray = services.store.cause?.kind === 'failure';
  const items = among.map((deployment) => {
    const { id, state } = deployment;
    const name = shortName(deployment, 100);
    const saysId = name === id || name.endsWith(`(${id})`);
    // A screen reader reads the state before the ID.
    const description = joinWithDots(
      stateWithCauses(deployment, { now, memory: services.memory }),
      saysId ? undefined : id,
    );
    return {
      deployment,
      label: inertLabel(name),
      description: inertLabel(description, 400),
      iconPath: isGray ? grayIcon(stateIcons[state]) : stateIcons[state],
      picked: areAllPicked && selected.size === 0,
    };
  });
  const which = canPickMany
    ? vscode.l10n.t('Select deployments by label, ID, or state')
    : vscode.l10n.t('Select a deployment by label, ID, or state');
  const { placeholder = which } = choice;
  const age = asOf === undefined ? undefined : asOfTime(asOf);
  const options = { title: joinWithDots(title, age), placeholder, matchOnDescription: true };
  const suggested = items.filter(({ deployment }) => selected.has(deployment));
  const picked = canPickMany
    ? await pickMany(items, options, suggested)
    : [await pickOne(items, options, suggested)].flatMap((one) => one ?? []);
  return picked.map(({ deployment }) => deployment);
}

/** Those whose own rows are selected; else the first that has a selected row below it. */
function selectedAmong(services: Services, among: readonly Deployment[]): readonly Deployment[] {
  const rows = readRows(undefined, services.selectedRows());
  const own = idsOf(rows.filter(({ isOfDeployment }) => isOfDeployment));
  const all = idsOf(rows);
  return own.size > 0
    ? among.filter(({ id }) => own.has(id))
    : among.filter(({ id }) => all.has(id)).slice(0, 1);
}

function idsOf(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ deploymentIds }) => deploymentIds));
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
  return store.deployments.toSorted(
    (a, b) => severity(a.state) - severity(b.state) || compareNames(a.name, b.name),
  );
}
