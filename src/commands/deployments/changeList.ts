import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import { type Refusal, RefusedChange, reasonsOf } from '../../host/list/refusedChange.js';
import type { SettingChange, Undone } from '../../host/list/scopedSetting.js';
import { confirm, mention, showErrorMessage, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { joinSentences, numberText, plural } from '../../host/text/format.js';
import { maxLabelChars, nameList } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { shorten } from '../../model/inertText.js';
import { chosenDeployments, type Row } from '../arguments.js';
import { askChange, type Message, warning } from '../questions.js';
import { idMessage, isListed, labelMessage, readAndShow, unusualText } from './addDeployment.js';
import { chooseDeployments } from './pickDeployment.js';
import { placeNames, placesInQuestion } from './places.js';

/**
 * Of a row's menu a single one is removed without a question. Where it comes from a list or by a key, the user may not have looked at
 * it: Enter takes the rows that are selected in the tree.
 */
export async function removeDeployment(
  services: Services,
  rows: readonly Row[],
  isByKey = false,
): Promise<void> {
  const chosen = await chooseDeployments(
    services,
    rows,
    vscode.l10n.t('Remove Deployments from List'),
    {
      placeholder: vscode.l10n.t(
        'Deployments to remove from the list. Nothing changes on the platform.',
      ),
      canPickMany: true,
    },
  );
  const [first, second] = chosen;
  if (!first) return;
  const isOfRow = chosenDeployments(services.store, rows).length > 0;
  if (isByKey || second || !isOfRow) {
    const question = second
      ? vscode.l10n.t('Remove {count} deployments from the list?', {
          count: numberText(chosen.length),
        })
      : vscode.l10n.t('Remove “{name}” from the list?', { name: shortName(first, maxLabelChars) });
    const names = second ? nameList(chosen, (one) => shortName(one)) : first.id;
    const places = placesInQuestion(services.deploymentList.scopesWith(chosen.map(({ id }) => id)));
    const lines = [
      names,
      vscode.l10n.t('From: {places}.', { places }),
      vscode.l10n.t('Nothing changes on the platform.'),
    ];
    if (!(await confirm(question, lines, vscode.l10n.t('Remove')))) return;
  }
  await removeFromList(services, chosen);
}

/** `kept`: why they stay in some places. */
async function removeFromList(
  services: Services,
  chosen: readonly Deployment[],
  kept: readonly Refusal[] = [],
): Promise<void> {
  const { deploymentList } = services;
  const ids = chosen.map(({ id }) => id);
  const next = services.neighborOf(ids);
  let change: SettingChange;
  try {
    change = await deploymentList.remove(ids, kept);
  } catch (error) {
    if (!(error instanceof RefusedChange) || error.mayBeMade) throw error;
    offerOthers(services, chosen, { error, kept: [...kept, ...error.refusals] });
    return services.focusAfterRemoval(ids[0]);
  }
  if (change.scopes.length === 0) return showMessage(alreadyRemovedText(chosen, kept));
  offerUndo(services, change, removedSentence(services, chosen, change), ids);
  const stays = ids.find((id) => deploymentList.scopesWith([id]).length > 0);
  await services.focusAfterRemoval(stays ?? next);
}

/** For what was removed while a question was open. */
function alreadyRemovedText(chosen: readonly Deployment[], kept: readonly Refusal[]): string {
  if (kept.length > 0)
    return vscode.l10n.t('Nothing was removed, because the other places have changed.');
  return plural(
    chosen.length,
    vscode.l10n.t('This deployment is no longer in the list.'),
    vscode.l10n.t('These deployments are no longer in the list.'),
  );
}

/** Nothing was removed, since a place refused it: says why, and offers to remove them from the others. */
function offerOthers(
  services: Services,
  chosen: readonly Deployment[],
  { error, kept }: { readonly error: RefusedChange; readonly kept: readonly Refusal[] },
): void {
  const { log } = services;
  const { actions, logLine, others, refusals } = error;
  if (logLine !== undefined) log.warn(logLine);
  const [other] = others;
  const title =
    other && others.length === 1
      ? vscode.l10n.t('Remove from {place}', { place: other.name })
      : vscode.l10n.t('Remove from the Other {count}', { count: numberText(others.length) });
  const rest = { title, run: () => showErrors(log, () => removeFromList(services, chosen, kept)) };
  const sentence = vscode.l10n.t('Nothing was removed: {reasons}', {
    reasons: reasonsOf(refusals),
  });
  showErrorMessage(sentence, [...(other ? [rest] : []), ...actions]);
}

function nameOf(deployment: Deployment | undefined): string {
  return deployment ? shortName(deployment, maxLabelChars) : '';
}

/**
 * "Removed “Billing sync” from the list in user settings. Nothing changed on the platform.", "Removed from user
 * settings. Still in web/.vscode/settings.json, so “Billing sync” stays in the list."
 */
function removedSentence(
  { deploymentList, store }: Services,
  chosen: readonly Deployment[],
  { scopes }: SettingChange,
): string {
  const left = chosen.filter(({ id }) => deploymentList.scopesWith([id]).length > 0);
  const words = {
    name: nameOf(chosen[0]),
    count: numberText(chosen.length),
    places: placeNames(scopes),
  };
  if (left.length === 0) {
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
  const stillIn = placeNames(deploymentList.scopesWith(left.map(({ id }) => id)));
  // It may have had its label in one of the others.
  const name = nameOf(left[0] && (store.get(left[0].id) ?? left[0]));
  const wordsLeft = { name, count: numberText(left.length), places: stillIn };
  return joinSentences(
    vscode.l10n.t('Removed from {places}.', words),
    left.length > 1
      ? vscode.l10n.t('Still in {places}, so {count} deployments stay in the list.', wordsLeft)
      : vscode.l10n.t('Still in {places}, so “{name}” stays in the list.', wordsLeft),
  );
}

export async function setDeploymentLabel(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Set Deployment Label');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;
  const label = await askChange(title, deployment.label ?? '', {
    prompt: joinSentences(
      vscode.l10n.t('Label for “{id}”. Leave it empty to remove the label.', { id: deployment.id }),
      labelPlaceText(services, deployment),
    ),
    placeholder: vscode.l10n.t('Label'),
    validate: (value) => labelMessage(services, value),
  });
  if (label === undefined) return;
  const change = await services.deploymentList.setLabel(deployment.id, label || undefined);
  const places = placeNames(change.scopes);
  mention(label === '' ? labelRemovedText(services, deployment.id, places) : savedText(places));
}

function savedText(places: string): string {
  return vscode.l10n.t('Saved the label in {places}.', { places });
}

/** The next place that has a label counts from now on. */
function labelRemovedText({ deploymentList }: Services, id: string, places: string): string {
  const next = deploymentList.listed.find((one) => one.id === id)?.label;
  const removed = vscode.l10n.t('Removed the label from {places}.', { places });
  if (next === undefined) return removed;
  const words = {
    label: shorten(next, maxLabelChars),
    place: deploymentList.scopeOfLabel(id)?.name ?? '',
  };
  return joinSentences(
    removed,
    vscode.l10n.t('Now shown: “{label}”, the label in {place}.', words),
  );
}

function labelPlaceText(
  { deploymentList }: Services,
  { id, label }: Deployment,
): string | undefined {
  const scope = deploymentList.scopeOfLabel(id);
  if (!scope) return undefined;
  const place = scope.nameInQuestion;
  return label === undefined
    ? vscode.l10n.t('Will be saved in {place}.', { place })
    : vscode.l10n.t('Will be saved in {place}, where the label in use stands.', { place });
}

export async function editDeploymentId(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Edit ID');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;
  const { id } = deployment;
  const places = placesInQuestion(services.deploymentList.scopesWith([id]));
  const changed = await askChange(title, id, {
    prompt: joinSentences(
      vscode.l10n.t('ID of “{name}”.', { name: shortName(deployment, maxLabelChars) }),
      vscode.l10n.t('Will be changed in {places}.', { places }),
    ),
    placeholder: vscode.l10n.t('Deployment ID'),
    validate: (value) => changedIdMessage(services, id, value.trim()),
  });
  if (changed === undefined) return;
  const change = await services.deploymentList.changeId(id, changed);
  const words = { id, changed, places: placeNames(change.scopes) };
  const sentence = vscode.l10n.t('Changed the ID “{id}” to “{changed}” in {places}.', words);
  offerUndo(services, change, sentence, [id]);
  await readAndShow(services, [changed]);
}

function changedIdMessage(services: Services, before: string, id: string): Message {
  if (id === before) return undefined;
  if (isListed(services, id)) return vscode.l10n.t('“{id}” is already in the list.', { id });
  const unusual = unusualText(id);
  return idMessage(services, id) ?? (unusual && warning(unusual));
}

/** Says what was changed in the list, with a way back. `ids`: the deployments that are listed again then. */
export function offerUndo(
  services: Services,
  change: SettingChange,
  sentence: string,
  ids: readonly string[] = [],
): void {
  const { organizations, store, log } = services;
  const undo = async (): Promise<void> => {
    const undone = await change.undo();
    if (undone.refusals.length > 0) showPartlyUndone(undone);
    else mention(vscode.l10n.t('Change undone.'));
    if (!organizations.current) return;
    // What was known of them was forgotten with their rows.
    const reading = store.refresh(ids);
    // The notification, which had the focus, is gone.
    await services.focusAfterRemoval(ids[0]);
    await reading;
  };
  const showPartlyUndone = ({ scopes, refusals }: Undone): void => {
    const reasons = reasonsOf(refusals);
    const { actions, logLine, mayBeMade } = new RefusedChange(refusals);
    const nothing = mayBeMade
      ? reasons
      : vscode.l10n.t('Nothing was undone: {reasons}', { reasons });
    const undoneSentence =
      scopes.length > 0
        ? vscode.l10n.t('Undone only in {places}. {reasons}', {
            places: placeNames(scopes),
            reasons,
          })
        : nothing;
    if (logLine !== undefined) log.warn(logLine);
    const again = { title: vscode.l10n.t('Try Again'), run: () => showErrors(log, undo) };
    showErrorMessage(undoneSentence, [again, ...actions]);
  };
  showMessage(sentence, { title: vscode.l10n.t('Undo'), run: () => showErrors(log, undo) });
}
