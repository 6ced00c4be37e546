import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import { askOneText, type Message, warning } from '../questions.js';
import { idMessage, isListed, readAndShow, unusualText } from './addDeployment.js';
import { meantDeployments } from './pickDeployment.js';
import { offerUndo, placeNames } from './undo.js';

export async function editDeploymentId(services: Services, row?: unknown): Promise<void> {
  const title = vscode.l10n.t('Edit ID');
  const placeHolder = vscode.l10n.t('Deployment whose ID to edit');
  const [deployment] = await meantDeployments(services, [row], { title, placeHolder });
  if (!deployment) return;
  const { id, name } = deployment;
  const given = await askOneText(title, {
    prompt: vscode.l10n.t('ID of “{name}”.', { name }),
    value: id,
    validate: (value) => message(services, id, value.trim()),
  });
  const changed = given?.trim();
  if (changed === undefined || changed === id) return;
  const change = await services.deploymentList.changeId(id, changed);
  const words = { id, changed, places: placeNames(change) };
  const sentence = vscode.l10n.t('Changed the ID “{id}” to “{changed}” in {places}.', words);
  void offerUndo(services, change, sentence, [id]);
  await readAndShow(services, [changed]);
}

function message(services: Services, before: string, id: string): Message {
  if (id === before) return undefined;
  if (isListed(services, id)) return vscode.l10n.t('“{id}” is already in the list.', { id });
  const wrong = idMessage(services, id);
  if (wrong !== undefined) return wrong;
  const unusual = unusualText(id);
  return unusual === undefined ? undefined : warning(unusual);
}
