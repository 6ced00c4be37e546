import * as vscode from 'vscode';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import { showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, joinWithDots, numberText, plural } from '../../host/text/format.js';
import { groupText } from '../../host/text/groups.js';
import { maxLabelChars } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import { groupProblem } from '../../model/entered/listEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { groupBy } from '../../model/findings/findings.js';
import { compareGroups, type GroupName, hasGroups } from '../../model/groups.js';
import { inertLabel, inertPlain } from '../../model/inertText.js';
import { isShown } from '../../model/tree/roots.js';
import type { Row } from '../arguments.js';
import { askOneText } from '../questions.js';
import { pickOne } from '../quickPick.js';
import { chooseDeployments } from './pickDeployment.js';
import { detailedScopeNames, scopeNames } from './scopeNames.js';
import { showWithUndo } from './undo.js';

/** The group that the user has chosen, or *No group*. */
interface Choice {
  readonly group: GroupName;
}

/**
 * Puts the deployments of these rows, or those that the user picks, into a group that the user
 * chooses, or takes them out of their groups. Offers Undo. Rejects with a `RefusedChange` if a
 * settings file cannot be written.
 */
export async function setGroup(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Set Group');
  const chosen = await chooseDeployments(services, rows, title, { canPickMany: true });
  if (chosen.length === 0) return;
  await services.organizations.waitForSignIns();

  const ids = chosen.map(({ id }) => id);
  const fullTitle = inertPlain(joinWithDots(title, nameOrCount(chosen)), 200);
  const choice = await askGroup(services, ids, fullTitle);
  if (choice === undefined) return;
  const neighborId = services.neighborOf(ids);
  await saveGroup(services, chosen, choice.group);
  const listed = ids.flatMap((id) => services.store.get(id) ?? []);
  const shown = listed.filter((deployment) => isShown(deployment, services));
  // VS Code gives the focus back to the row that had it. If several rows are selected, another
  // focus would end that, but rows that are below another row now are selected no longer.
  const areRowsKept = shown.length === ids.length && services.grouping.by !== 'group';
  if (ids.length > 1 && areRowsKept) return;
  await services.focus(shown[0]?.id ?? neighborId);
}

/** "Billing sync", "3 deployments" */
function nameOrCount(deployments: readonly Deployment[]): string {
  const [first] = deployments;
  if (first && deployments.length === 1) return shortName(first, maxLabelChars);
  return countText(deployments.length);
}

/** "1 deployment", "3 deployments" */
function countText(count: number): string {
  const values = { count: numberText(count) };
  return plural(
    count,
    vscode.l10n.t('{count} deployment', values),
    vscode.l10n.t('{count} deployments', values),
  );
}

/** Resolves with `undefined` if the user dismisses a question. */
async function askGroup(
  services: Services,
  ids: readonly string[],
  title: string,
): Promise<Choice | undefined> {
  if (!hasGroups(services.deploymentList.listed)) return askNewGroup(services, ids, title);

  const newGroupItem = {
    label: vscode.l10n.t('New Group...'),
    iconPath: new vscode.ThemeIcon('add'),
  };
  const items = groupItems(services, ids);
  const picked = await pickOne(
    [newGroupItem, ...items],
    {
      title,
      placeholder: joinSentences(vscode.l10n.t('Select a group.'), placeText(services, ids)),
    },
    items.filter(({ isCurrent }) => isCurrent),
  );
  if (picked === undefined || 'group' in picked) return picked;
  return askNewGroup(services, ids, title);
}

/** "Will be saved in user settings (all windows), team.code-workspace." */
function placeText({ deploymentList }: Services, ids: readonly string[]): string | undefined {
  const place = detailedScopeNames(deploymentList.scopesOfGroup(ids));
  return place === '' ? undefined : vscode.l10n.t('Will be saved in {place}.', { place });
}

/**
 * The groups of the list, and *No group* if one of these deployments is in a group: "payments",
 * beside it "40 deployments · current"; "No group", beside it "removed from user settings (all
 * windows)".
 */
function groupItems({ deploymentList }: Services, ids: readonly string[]) {
  const { listed } = deploymentList;
  const groupOf = groupsById(listed);
  const presentGroups = new Set(ids.map((id) => groupOf.get(id)));
  const deploymentsOf = groupBy(listed, ({ group }) => group);
  const names = [...deploymentsOf.keys()].filter((name) => name !== undefined);
  const items = names.toSorted(compareGroups).map((group) => {
    const isCurrent = presentGroups.size === 1 && presentGroups.has(group);
    const currentWord = isCurrent
      ? vscode.l10n.t({ message: 'current', comment: 'The group that a deployment is in' })
      : undefined;
    const count = deploymentsOf.get(group)?.length ?? 0;
    const description = joinWithDots(countText(count), currentWord);
    return { group, isCurrent, label: inertLabel(groupText(group)), description };
  });
  const areInNone = presentGroups.size === 1 && presentGroups.has(undefined);
  if (areInNone) return items;
  const places = detailedScopeNames(deploymentList.scopesOfGroup(ids, { isRemoved: true }));
  const noGroupItem = {
    group: undefined,
    isCurrent: false,
    label: groupText(undefined),
    description: vscode.l10n.t('removed from {places}', { places }),
  };
  return [...items, noGroupItem];
}

function groupsById(listed: Services['deploymentList']['listed']): ReadonlyMap<string, GroupName> {
  return new Map(listed.map(({ id, group }) => [id, group]));
}

/** Asks for the name of a group. The name of a group that there is stands for that group. */
async function askNewGroup(
  services: Services,
  ids: readonly string[],
  title: string,
): Promise<Choice | undefined> {
  const entered = await askOneText(title, {
    prompt: joinSentences(vscode.l10n.t('Name of the group.'), placeText(services, ids)),
    placeholder: vscode.l10n.t('Group'),
    validate: (text) => groupMessage(services, text.trim()),
  });
  return entered === undefined ? undefined : { group: entered.trim() };
}

/** Returns why a text cannot be the name of a group; `undefined` if it can. */
function groupMessage({ organizations }: Services, name: string): string | undefined {
  if (organizations.hasTokenIn(name)) {
    return vscode.l10n.t('This text contains a token. Do not put tokens into settings.');
  }
  switch (groupProblem(name)) {
    case 'empty':
      return vscode.l10n.t('Enter the name of a group.');
    case 'tooLong':
      return vscode.l10n.t('Enter at most 60 characters.');
    case undefined:
      return undefined;
  }
}

/**
 * Writes the group of those deployments that are not in it already, and says so in a message. A
 * deployment that has left the list meanwhile is left out.
 */
async function saveGroup(
  services: Services,
  chosen: readonly Deployment[],
  group: GroupName,
): Promise<void> {
  const { deploymentList, log } = services;
  const groupOf = groupsById(deploymentList.listed);
  const isInGroup = ({ id }: Deployment): boolean => groupOf.has(id) && groupOf.get(id) === group;
  const toChange = chosen.filter((deployment) => !isInGroup(deployment));
  if (toChange.length === 0) return showStatusBarMessage(unchangedText(group));

  const ids = toChange.map(({ id }) => id);
  const change = await deploymentList.setGroup(ids, group);
  if (change.scopes.length === 0) return showStatusBarMessage(unchangedText(group));
  const changed = toChange.filter(({ id }) => groupOf.has(id));
  const groupsBefore = new Set(changed.map(({ id }) => groupOf.get(id)));
  const sentence =
    group === undefined
      ? takenOutText(changed, groupsBefore, change)
      : movedText(changed, group, change);
  showWithUndo(log, sentence, {
    undo: () => change.undo(),
    // The notification, which had the focus, is gone.
    afterUndo: () => services.focus(ids[0]),
  });
}

/** "Already in “payments”, so nothing was changed." */
function unchangedText(group: GroupName): string {
  return group === undefined
    ? vscode.l10n.t('Already in no group, so nothing was changed.')
    : vscode.l10n.t('Already in “{group}”, so nothing was changed.', { group });
}

/** "Moved 3 deployments to “payments” in user settings, web/.vscode/settings.json." */
function movedText(
  deployments: readonly Deployment[],
  group: string,
  { scopes }: SettingChange,
): string {
  const words = { ...namesOf(deployments), group, places: scopeNames(scopes) };
  return deployments.length > 1
    ? vscode.l10n.t('Moved {count} deployments to “{group}” in {places}.', words)
    : vscode.l10n.t('Moved “{name}” to “{group}” in {places}.', words);
}

/**
 * "Took “Billing sync” out of “payments” in user settings.", "Took 3 deployments out of their
 * groups in user settings."
 */
function takenOutText(
  deployments: readonly Deployment[],
  groupsBefore: ReadonlySet<GroupName>,
  { scopes }: SettingChange,
): string {
  const [group = ''] = groupsBefore;
  const words = { ...namesOf(deployments), group, places: scopeNames(scopes) };
  if (deployments.length === 1) {
    return vscode.l10n.t('Took “{name}” out of “{group}” in {places}.', words);
  }
  return groupsBefore.size === 1
    ? vscode.l10n.t('Took {count} deployments out of “{group}” in {places}.', words)
    : vscode.l10n.t('Took {count} deployments out of their groups in {places}.', words);
}

function namesOf(deployments: readonly Deployment[]) {
  const [first] = deployments;
  return {
    name: first ? shortName(first, maxLabelChars) : '',
    count: numberText(deployments.length),
  };
}
