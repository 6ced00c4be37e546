import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import { type ListPlace, placeName } from '../../host/list/place.js';
import { confirm, mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { listText, numberText, sentences } from '../../host/text/format.js';
import { inertNotification } from '../../model/inertText.js';
import { type CommandArguments, deploymentsOf } from '../arguments.js';
import { whenListed } from './goToDeployment.js';
import { pickDeployments } from './pickDeployment.js';

/** The settings files by name, each once, although several deployments may be listed in one. */
function placeNames(places: readonly ListPlace[]): string {
  return listText([...new Set(places.map(placeName))]);
}

/** Takes deployments out of the list, out of every settings file that has them. Nothing happens on the server. */
export async function removeDeployment(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = deploymentsOf(services, args);
  const chosen =
    rows.length > 0
      ? rows
      : await pickDeployments(services, {
          title: vscode.l10n.t('Remove Deployments from List'),
          placeholder: vscode.l10n.t('Deployments to take out of the list. Nothing happens on the server.'),
        });
  if (chosen.length === 0) return;
  const ids = chosen.map((deployment) => deployment.id);
  const places = ids.flatMap((id) => services.deploymentList.places(id));
  const what =
    chosen.length === 1
      ? vscode.l10n.t('“{name}”', { name: chosen[0]!.name })
      : vscode.l10n.t('{count} deployments', { count: numberText(chosen.length) });
  // Picking them by hand was the answer to this question.
  if (rows.length > 0 && !(await agreed(what, places))) return;
  const removed = await services.deploymentList.remove(ids);
  void offerUndo(services, what, ids, removed);
}

function agreed(what: string, places: readonly ListPlace[]): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Remove {what} from the list?', { what }),
    [
      vscode.l10n.t('Taken out of: {places}.', { places: placeNames(places) }),
      vscode.l10n.t('Nothing happens on the server.'),
    ],
    vscode.l10n.t('Remove from List'),
  );
}

async function offerUndo(
  services: Services,
  what: string,
  ids: readonly string[],
  removed: { readonly places: readonly ListPlace[]; undo(): Promise<void> },
): Promise<void> {
  const undoButton = vscode.l10n.t('Undo');
  const sentence = sentences(
    vscode.l10n.t('Removed {what} from the list: {places}.', { what, places: placeNames(removed.places) }),
    vscode.l10n.t('Nothing happened on the server.'),
  );
  const chosen = await vscode.window.showInformationMessage(inertNotification(sentence), undoButton);
  if (chosen !== undoButton) return;
  await showErrors(services.log, async () => {
    await removed.undo();
    mention(vscode.l10n.t('{what} is back in the list.', { what }));
    await readAgain(services, ids);
  })();
}

/** What was known of them was forgotten with their rows, so it is read again without being asked for. */
async function readAgain({ organizations, store }: Services, ids: readonly string[]): Promise<void> {
  if (!organizations.current) return;
  await Promise.all(ids.map((id) => whenListed(store, id)));
  await store.refreshAll(ids);
}
