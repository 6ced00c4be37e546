import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import { type Refusal, RefusedChange, reasonsOf } from '../../host/list/refusedChange.js';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import type { SettingsScope } from '../../host/list/settingsScope.js';
import {
  confirm,
  showErrorMessage,
  showMessage,
  showStatusBarMessage,
} from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural } from '../../host/text/format.js';
import { maxLabelChars, nameList } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { shorten } from '../../model/inertText.js';
import { chosenDeployments, type Row } from '../arguments.js';
import { askChange, type ValidationMessage, warning } from '../questions.js';
import {
  isListed,
  labelMessage,
  readAndShow,
  unusableIdText,
  unusualIdText,
} from './addDeployment.js';
import { chooseDeployments } from './pickDeployment.js';
import { detailedScopeNames, scopeNames } from './scopeNames.js';
import { showWithUndo } from './undo.js';

/**
 * Removes these deployments, or those that the user picks, from the list, and offers Undo. The menu
 * of one row removes its deployment without a question. After a key (`isByKey`) or a list the
 * question comes first, because the user may not have looked at the deployments: Enter in the list
 * takes the rows that are selected in the tree.
 */
export async function removeDeployment(
  services: Services,
  rows: readonly Row[],
  isByKey = false,
): Promise<void> {
  const title = vscode.l10n.t('Remove Deployments from List');
  const chosen = await chooseDeployments(services, rows, title, {
    placeholder: vscode.l10n.t(
      'Deployments to remove from the list. Nothing changes on the platform.',
    ),
    canPickMany: true,
  });
  if (chosen.length === 0) return;

  const isFromMenu = !isByKey && chosenDeployments(services.store, rows).length > 0;
  const needsQuestion = !isFromMenu || chosen.length > 1;
  if (needsQuestion && !(await confirmRemoval(services, chosen))) return;
  await removeFromList(services, chosen);
}

type ErrorLog = Pick<Services['log'], 'warn' | 'error' | 'redact'>;

/** Asks "Remove “Billing sync” from the list?" or "Remove 3 deployments from the list?" */
function confirmRemoval(
  { deploymentList }: Services,
  chosen: readonly Deployment[],
): Promise<boolean> {
  const ids = chosen.map(({ id }) => id);
  const isSingle = chosen.length === 1;
  const question = isSingle
    ? vscode.l10n.t('Remove “{name}” from the list?', { name: nameOrEmpty(chosen[0]) })
    : vscode.l10n.t('Remove {count} deployments from the list?', {
        count: numberText(chosen.length),
      });
  const names = isSingle ? ids[0]! : nameList(chosen, (deployment) => shortName(deployment));
  const places = detailedScopeNames(deploymentList.scopesWith(ids));
  const lines = [
    names,
    vscode.l10n.t('From: {places}.', { places }),
    vscode.l10n.t('Nothing changes on the platform.'),
  ];
  return confirm(question, lines, vscode.l10n.t('Remove'));
}

/**
 * Removes the deployments from all scopes that list them, except the scopes that refused an earlier
 * attempt (`earlierRefusals`). If a scope refuses now, no scope is changed: a message says why, and
 * offers to remove the deployments from the other scopes. Throws if a scope may be changed all the
 * same.
 */
async function removeFromList(
  services: Services,
  chosen: readonly Deployment[],
  earlierRefusals: readonly Refusal[] = [],
): Promise<void> {
  const { deploymentList } = services;
  const ids = chosen.map(({ id }) => id);
  const neighborId = services.neighborOf(ids);
  let change: SettingChange;
  try {
    change = await deploymentList.remove(ids, earlierRefusals);
  } catch (error) {
    if (!(error instanceof RefusedChange) || error.mayHaveTakenEffect) throw error;
    const refusals = [...earlierRefusals, ...error.refusals];
    offerOtherScopes(services.log, error, () => removeFromList(services, chosen, refusals));
    return services.focusAfterRemoval(ids[0]);
  }

  if (change.scopes.length === 0) {
    return showMessage(alreadyRemovedText(chosen.length, earlierRefusals.length > 0));
  }
  offerUndo(services, change, removedSentence(services, chosen, change.scopes), ids);
  const stillListedId = ids.find((id) => deploymentList.scopesWith([id]).length > 0);
  await services.focusAfterRemoval(stillListedId ?? neighborId);
}

/**
 * "This deployment is no longer in the list.": something else removed it while a question was open.
 * `wasRefused`: a scope refused before, and the user then chose to remove it from the others.
 */
function alreadyRemovedText(count: number, wasRefused: boolean): string {
  if (wasRefused) {
    return vscode.l10n.t('Nothing was removed, because the other places have changed.');
  }
  return plural(
    count,
    vscode.l10n.t('This deployment is no longer in the list.'),
    vscode.l10n.t('These deployments are no longer in the list.'),
  );
}

/**
 * "Nothing was removed: web/.vscode/settings.json is read-only.", with a button that removes the
 * deployments from the scopes that did not refuse.
 */
function offerOtherScopes(
  log: ErrorLog,
  { actions, logLine, otherScopes, refusals }: RefusedChange,
  removeFromOthers: () => Promise<void>,
): void {
  if (logLine !== undefined) log.warn(logLine);
  const sentence = vscode.l10n.t('Nothing was removed: {reasons}', {
    reasons: reasonsOf(refusals),
  });
  const othersButton = {
    title: removeFromOthersTitle(otherScopes),
    run: () => showErrors(log, removeFromOthers),
  };
  showErrorMessage(sentence, otherScopes.length > 0 ? [othersButton, ...actions] : actions);
}

/** "Remove from user settings", "Remove from the Other 3" */
function removeFromOthersTitle(otherScopes: readonly SettingsScope[]): string {
  const [first] = otherScopes;
  return first && otherScopes.length === 1
    ? vscode.l10n.t('Remove from {place}', { place: first.name })
    : vscode.l10n.t('Remove from the Other {count}', { count: numberText(otherScopes.length) });
}

/** The name, as short as a label in a sentence has to be; empty without a deployment. */
function nameOrEmpty(deployment: Deployment | undefined): string {
  return deployment ? shortName(deployment, maxLabelChars) : '';
}

/**
 * "Removed “Billing sync” from the list in user settings. Nothing changed on the platform.",
 * "Removed from user settings. Still in web/.vscode/settings.json, so “Billing sync” stays in the
 * list." `removedFrom`: the scopes that were changed.
 */
function removedSentence(
  { deploymentList, store }: Services,
  chosen: readonly Deployment[],
  removedFrom: readonly SettingsScope[],
): string {
  const stillListed = chosen.filter(({ id }) => deploymentList.scopesWith([id]).length > 0);
  const words = {
    name: nameOrEmpty(chosen[0]),
    count: numberText(chosen.length),
    places: scopeNames(removedFrom),
  };
  if (stillListed.length === 0) {
    return chosen.length > 1
      ? vscode.l10n.t(
          'Removed {count} deployments from the list in {places}. Nothing changed on the platform.',
          words,
        )
      : vscode.l10n.t(
          'Removed “{name}” from the list in {places}. Nothing changed on the platform.',
          words,
        );
  }

  // The label may have been removed with its scope, so the deployment may have another name now.
  const [first] = stillListed;
  const firstAsNow = first && (store.get(first.id) ?? first);
  const stillListedIds = stillListed.map(({ id }) => id);
  const stillListedWords = {
    name: nameOrEmpty(firstAsNow),
    count: numberText(stillListed.length),
    places: scopeNames(deploymentList.scopesWith(stillListedIds)),
  };
  return joinSentences(
    vscode.l10n.t('Removed from {places}.', words),
    stillListed.length > 1
      ? vscode.l10n.t(
          'Still in {places}, so {count} deployments stay in the list.',
          stillListedWords,
        )
      : vscode.l10n.t('Still in {places}, so “{name}” stays in the list.', stillListedWords),
  );
}

/** Asks for another label of one deployment and saves it. An empty one removes the label. */
export async function setDeploymentLabel(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Set Deployment Label');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;

  const label = await askChange(title, deployment.label ?? '', {
    prompt: joinSentences(
      vscode.l10n.t('Label for “{id}”. Leave it empty to remove the label.', { id: deployment.id }),
      willSaveLabelText(services, deployment),
    ),
    placeholder: vscode.l10n.t('Label'),
    validate: (value) => labelMessage(services, value),
  });
  if (label === undefined) return;

  const isRemoved = label === '';
  const change = await services.deploymentList.setLabel(
    deployment.id,
    isRemoved ? undefined : label,
  );
  const places = scopeNames(change.scopes);
  showStatusBarMessage(
    isRemoved
      ? labelRemovedText(services, deployment.id, places)
      : vscode.l10n.t('Saved the label in {places}.', { places }),
  );
}

/**
 * "Removed the label from team.code-workspace. Now shown: “Billing”, the label in user settings.":
 * the label of the next scope that has one counts from now on.
 */
function labelRemovedText(
  { deploymentList }: Services,
  deploymentId: string,
  places: string,
): string {
  const removed = vscode.l10n.t('Removed the label from {places}.', { places });
  const labelNow = deploymentList.listed.find(({ id }) => id === deploymentId)?.label;
  if (labelNow === undefined) return removed;
  const words = {
    label: shorten(labelNow, maxLabelChars),
    place: deploymentList.scopeOfLabel(deploymentId)?.name ?? '',
  };
  return joinSentences(
    removed,
    vscode.l10n.t('Now shown: “{label}”, the label in {place}.', words),
  );
}

/**
 * "Will be saved in user settings (all windows), where the label in use stands."; `undefined` if no
 * scope lists the deployment any longer.
 */
function willSaveLabelText(
  { deploymentList }: Services,
  { id, label }: Deployment,
): string | undefined {
  const scope = deploymentList.scopeOfLabel(id);
  if (!scope) return undefined;
  const place = scope.detailedName;
  return label === undefined
    ? vscode.l10n.t('Will be saved in {place}.', { place })
    : vscode.l10n.t('Will be saved in {place}, where the label in use stands.', { place });
}

/** Asks for another ID of one deployment, changes it in all scopes, and reads the deployment. */
export async function editDeploymentId(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Edit ID');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;

  const { id } = deployment;
  const placesToChange = detailedScopeNames(services.deploymentList.scopesWith([id]));
  const newId = await askChange(title, id, {
    prompt: joinSentences(
      vscode.l10n.t('ID of “{name}”.', { name: nameOrEmpty(deployment) }),
      vscode.l10n.t('Will be changed in {places}.', { places: placesToChange }),
    ),
    placeholder: vscode.l10n.t('Deployment ID'),
    validate: (value) => newIdMessage(services, id, value.trim()),
  });
  if (newId === undefined) return;

  const change = await services.deploymentList.changeId(id, newId);
  const words = { id, changed: newId, places: scopeNames(change.scopes) };
  const sentence = vscode.l10n.t('Changed the ID “{id}” to “{changed}” in {places}.', words);
  offerUndo(services, change, sentence, [id]);
  await readAndShow(services, [newId]);
}

/** "“dep_1” is already in the list."; `undefined` if nothing speaks against the new ID. */
function newIdMessage(services: Services, oldId: string, newId: string): ValidationMessage {
  if (newId === oldId) return undefined;
  if (isListed(services, newId)) {
    return vscode.l10n.t('“{id}” is already in the list.', { id: newId });
  }
  const unusable = unusableIdText(services, newId);
  if (unusable !== undefined) return unusable;
  const unusual = unusualIdText(newId);
  return unusual === undefined ? undefined : warning(unusual);
}

/**
 * Shows the sentence about a change of the list, with an Undo button. `ids`: the deployments that
 * Undo lists again; they are read then.
 */
export function offerUndo(
  services: Services,
  change: SettingChange,
  sentence: string,
  ids: readonly string[] = [],
): void {
  showWithUndo(services.log, sentence, {
    undo: () => change.undo(),
    afterUndo: async () => {
      if (!services.organizations.current) return;
      // The store forgot their answers when they left the list.
      const reading = services.store.refresh(ids);
      // The notification, which had the focus, is gone.
      await services.focusAfterRemoval(ids[0]);
      await reading;
    },
  });
}
