import * as vscode from 'vscode';
import { addDeploymentAction, remedyAction, UserError } from '../../host/actions.js';
import { grayIcon, stateIcons } from '../../host/icons.js';
import type { Services } from '../../host/services.js';
import { asOfTime } from '../../host/text/cause.js';
import { otherGroupsText, stateWithCauses } from '../../host/text/deployment.js';
import { joinWithDots } from '../../host/text/format.js';
import { groupsWord, groupWordChars } from '../../host/text/groups.js';
import { ignoredText } from '../../host/text/ignored.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { compareNames, severity } from '../../model/findings/order.js';
import type { GroupName } from '../../model/groups.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import { chosenDeployments, type Row, readRows } from '../arguments.js';
import { pickMany, pickOne, pickOneOrOthers } from '../quickPick.js';

export interface DeploymentChoice {
  readonly placeholder?: string;
  readonly canPickMany?: boolean;
  /** The deployments to pick from. Default: all that are listed, the worst first. */
  readonly among?: readonly Deployment[];
  /**
   * Whether, by default, only those of the groups that the user has chosen are offered. If one is
   * to be picked, the last item then shows all that are listed.
   */
  readonly isOfMyGroups?: boolean;
  /** Whether all items are checked at first, unless rows are selected in the tree. */
  readonly areAllPicked?: boolean;
}

/**
 * Returns the deployments of these rows. Without rows, asks the user to pick deployments, and
 * suggests those that are selected in the tree; if there is only one to pick, returns it without a
 * question. Empty if the user dismisses the list. Throws if the list of deployments is empty.
 */
export async function chooseDeployments(
  services: Services,
  rows: readonly Row[],
  title: string,
  choice: DeploymentChoice = {},
): Promise<readonly Deployment[]> {
  const deploymentsOfRows = chosenDeployments(services.store, rows);
  if (deploymentsOfRows.length > 0) return deploymentsOfRows;
  const { myGroups } = services;
  const { canPickMany = false, areAllPicked = false, isOfMyGroups = false } = choice;
  const listed = choice.among ?? listedDeployments(services);
  const among = isOfMyGroups ? listed.filter((one) => myGroups.covers(one)) : listed;
  const otherCounts = isOfMyGroups && !canPickMany ? myGroups.otherCounts : undefined;
  if (among.length === 1 && !otherCounts) return among;

  const selected = new Set(selectedAmong(services, among));
  const items = deploymentItems(services, among, areAllPicked && selected.size === 0);
  const suggested = items.filter(({ deployment }) => selected.has(deployment));
  const { groups } = isOfMyGroups ? myGroups.counts : {};
  const options = {
    title: listTitle(services, title, groups),
    placeholder: choice.placeholder ?? placeholderText(canPickMany),
    matchOnDescription: true,
  };
  if (canPickMany) {
    const picked = await pickMany(items, options, suggested);
    return picked.map(({ deployment }) => deployment);
  }
  const others = otherCounts && {
    item: { label: inertLabel(otherGroupsText(otherCounts)), alwaysShow: true },
    title: listTitle(services, title),
    items: () => deploymentItems(services, listed, false),
  };
  const picked = others
    ? await pickOneOrOthers(items, options, suggested, others)
    : await pickOne(items, options, suggested);
  return picked === undefined ? [] : [picked.deployment];
}

/** "Go to Deployment · payments +1 · as of 9:51 PM" */
function listTitle({ verdictAge }: Services, title: string, groups?: readonly GroupName[]): string {
  const { asOf } = verdictAge;
  const groupsText = groupsWord(groups, groupWordChars.sentence);
  const asOfText = asOf === undefined ? undefined : asOfTime(asOf);
  return inertPlain(joinWithDots(title, groupsText, asOfText), 300);
}

function placeholderText(canPickMany: boolean): string {
  return canPickMany
    ? vscode.l10n.t('Select deployments by label, ID, or state')
    : vscode.l10n.t('Select a deployment by label, ID, or state');
}

/** For each deployment an item with its icon, its name, its state, its ID, and its group. */
function deploymentItems(
  { memory, store }: Services,
  deployments: readonly Deployment[],
  isPicked: boolean,
) {
  const now = Date.now();
  const isGray = store.cause?.kind === 'failure';
  return deployments.map((deployment) => {
    const { id, state, group } = deployment;
    const name = shortName(deployment, 100);
    const hasNameId = name === id || name.endsWith(`(${id})`);
    const icon = stateIcons[state];
    // A screen reader reads the state before the ID.
    const description = joinWithDots(
      stateWithCauses(deployment, { now, memory }),
      hasNameId ? undefined : id,
      group,
    );
    return {
      deployment,
      label: inertLabel(name),
      description: inertLabel(description, 400),
      iconPath: isGray ? grayIcon(icon) : icon,
      picked: isPicked,
    };
  });
}

/**
 * Returns the deployments whose own rows are selected in the tree. If only rows below them are
 * selected, such as rows of accounts, returns the first deployment with such a row.
 */
function selectedAmong(services: Services, among: readonly Deployment[]): readonly Deployment[] {
  const selectedRows = readRows(undefined, services.selectedRows());
  const deploymentRows = selectedRows.filter(({ isOfDeployment }) => isOfDeployment);
  const idsOfDeploymentRows = idsOf(deploymentRows);
  if (idsOfDeploymentRows.size > 0) return among.filter(({ id }) => idsOfDeploymentRows.has(id));
  const idsOfAllRows = idsOf(selectedRows);
  return among.filter(({ id }) => idsOfAllRows.has(id)).slice(0, 1);
}

function idsOf(rows: readonly Row[]): ReadonlySet<string> {
  return new Set(rows.flatMap(({ deploymentIds }) => deploymentIds));
}

/**
 * Returns the listed deployments, worst first, even during a refresh, in which the store keeps its
 * order. Throws if there are none, with what to do then.
 */
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
