import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import type { SettingChange } from '../../host/list/scopedSetting.js';
import { confirm, mention, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { numberText } from '../../host/text/format.js';
import { maxLabelChars, nameList } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Row } from '../arguments.js';
import { askChange, type Message, warning } from '../questions.js';
import { idMessage, isListed, labelMessage, readAndShow, scopeNames, unusualText } from './addDeployment.js';
import { chooseDeployments } from './pickDeployment.js';

/** A key always asks, since it acts on the selected rows, and another one may have the focus. */
export async function removeDeployment(services: Services, rows: readonly Row[], isByKey = false): Promise<void> {
  const chosen = await chooseDeployments(services, rows, vscode.l10n.t('Remove Deployments from List'), {
    placeholder: vscode.l10n.t('Deployments to remove from the list. Nothing changes on the platform.'),
    canPickMany: true,
    confirms: true,
  });
  const count = numberText(chosen.length);
  const [first, second] = chosen;
  if (!first) return;
  const name = shortName(first, maxLabelChars);
  if (isByKey || (second && rows.length > 0)) {
    const question = second
      ? vscode.l10n.t('Remove {count} deployments from the list?', { count })
      : vscode.l10n.t('Remove “{name}” from the list?', { name });
    const names = second ? nameList(chosen, (one) => shortName(one)) : first.id;
    const lines = [names, vscode.l10n.t('Nothing changes on the platform.')];
    if (!(await confirm(question, lines, vscode.l10n.t('Remove')))) return;
  }
  const ids = chosen.map(({ id }) => id);
  const next = services.neighborOf(ids);
  const change = await services.deploymentList.remove(ids);
  if (change.scopes.length === 0) return;
  const words = { name, count, places: scopeNames(change) };
  const sentence = second
    ? vscode.l10n.t('Removed {count} deployments from the list in {places}. Nothing changed on the platform.', words)
    : vscode.l10n.t('Removed “{name}” from the list in {places}. Nothing changed on the platform.', words);
  offerUndo(services, change, sentence, ids);
  await services.focusAfterRemoval(next);
}

export async function setDeploymentLabel(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Set Deployment Label');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;
  const label = await askChange(title, deployment.label ?? '', {
    prompt: vscode.l10n.t('Label for “{id}”. Leave it empty to remove the label.', { id: deployment.id }),
    placeholder: vscode.l10n.t('Label'),
    validate: (value) => labelMessage(services, value),
  });
  if (label === undefined) return;
  const change = await services.deploymentList.setLabel(deployment.id, label || undefined);
  const places = scopeNames(change);
  mention(
    label === ''
      ? vscode.l10n.t('Removed the label from {places}.', { places })
      : vscode.l10n.t('Saved the label in {places}.', { places }),
  );
}

export async function editDeploymentId(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Edit ID');
  const [deployment] = await chooseDeployments(services, rows, title);
  if (!deployment) return;
  const { id } = deployment;
  const changed = await askChange(title, id, {
    prompt: vscode.l10n.t('ID of “{name}”.', { name: shortName(deployment, maxLabelChars) }),
    placeholder: vscode.l10n.t('Deployment ID'),
    validate: (value) => changedIdMessage(services, id, value.trim()),
  });
  if (changed === undefined) return;
  const change = await services.deploymentList.changeId(id, changed);
  const words = { id, changed, places: scopeNames(change) };
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
  const undo = async () => {
    await change.undo();
    mention(vscode.l10n.t('Change undone.'));
    if (!organizations.current) return;
    // What was known of them was forgotten with their rows.
    const reading = store.refresh(ids);
    // The notification, which had the focus, is gone.
    await services.focusAfterRemoval(ids[0]);
    await reading;
  };
  showMessage(sentence, { title: vscode.l10n.t('Undo'), run: () => showErrors(log, undo) });
}
