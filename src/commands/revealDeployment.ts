import * as vscode from 'vscode';
import { commandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { UserError } from '../host/userError.js';
import type { Store } from '../model/store/store.js';
import { textPrefill } from './prefill.js';
import { currentOrganization } from './whichOrganization.js';

/** The internal command behind links and quick fixes: shows the row of this deployment. */
export async function revealById(services: Services, argument?: unknown): Promise<void> {
  const id = textPrefill(argument);
  if (id === undefined) return;
  await currentOrganization(services);
  await revealDeployment(services, id);
}

export async function revealDeployment(services: Services, id: string): Promise<void> {
  if (!services.store.get(id)) {
    throw new UserError(vscode.l10n.t('“{id}” is not in the list of deployments.', { id }), [
      { title: vscode.l10n.t('Add Deployment…'), command: commandIds.addDeployment, arguments: [{ id }] },
    ]);
  }
  await services.reveal(id);
}

/** A written setting reaches the store by an event a moment later; `false` if it does not (another scope hides it). */
export async function whenListed(
  store: Pick<Store, 'get' | 'onDidChange'>,
  id: string,
  patience = 3000,
): Promise<boolean> {
  if (store.get(id)) return true;
  return new Promise((resolve) => {
    const finish = (listed: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(listed);
    };
    const timer = setTimeout(() => finish(false), patience);
    const listener = store.onDidChange(() => {
      if (store.get(id)) finish(true);
    });
  });
}
