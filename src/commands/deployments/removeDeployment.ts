import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import { numberText } from '../../host/text/format.js';
import type { CommandArguments } from '../arguments.js';
import { meantDeployments } from './pickDeployment.js';
import { offerUndo, placeNames } from './undo.js';

/** Takes deployments out of the list, out of every settings file that has them. Nothing happens on the server. */
export async function removeDeployment(services: Services, ...args: CommandArguments): Promise<void> {
  const chosen = await meantDeployments(services, args, {
    title: vscode.l10n.t('Remove Deployments from List'),
    placeHolder: vscode.l10n.t('Deployments to remove from the list. Nothing changes on the server.'),
    canPickMany: true,
  });
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  const change = await services.deploymentList.remove(ids);
  if (change.places.length === 0) return;
  const words = { name: chosen[0]!.name, count: numberText(chosen.length), places: placeNames(change) };
  const sentence =
    chosen.length === 1
      ? vscode.l10n.t('Removed “{name}” from the list in {places}. Nothing changed on the server.', words)
      : vscode.l10n.t('Removed {count} deployments from the list in {places}. Nothing changed on the server.', words);
  void offerUndo(services, change, sentence, ids);
}
