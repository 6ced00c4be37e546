import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import type { ListChange } from '../../host/list/deploymentList.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { listText } from '../../host/text/format.js';
import { inertNotification } from '../../model/inertText.js';
import { whenListed } from './goToDeployment.js';

export function placeNames({ places }: ListChange): string {
  return listText(places.map(({ name }) => name));
}

/** Says what was changed in the list, with a way back. `ids`: the deployments that are listed again then. */
export async function offerUndo(
  services: Services,
  change: ListChange,
  sentence: string,
  ids: readonly string[],
): Promise<void> {
  const { organizations, store, log } = services;
  const undo = vscode.l10n.t('Undo');
  const chosen = await vscode.window.showInformationMessage(inertNotification(sentence), undo);
  if (chosen !== undo) return;
  await showErrors(log, async () => {
    await change.undo();
    mention(vscode.l10n.t('Change undone.'));
    if (!organizations.current) return;
    // What was known of them was forgotten with their rows.
    await Promise.all(ids.map((id) => whenListed(store, id)));
    await store.refreshAll(ids);
  });
}
