import * as vscode from 'vscode';
import { addDeploymentAction, UserError } from '../../host/actions.js';
import type { Services } from '../../host/services.js';
import type { Store } from '../../model/store/store.js';
import { currentOrganization } from '../organizations.js';
import { chooseDeployments } from './pickDeployment.js';

export async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty: there would be no row to go to.
  await currentOrganization(services);
  const wording = { title: vscode.l10n.t('Go to Deployment'), placeHolder: vscode.l10n.t('Label, ID or state') };
  const [deployment] = await chooseDeployments(services, [], wording);
  if (!deployment) return;
  await revealDeployment(services, deployment.id);
}

export async function revealById(services: Services, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  await currentOrganization(services);
  await revealDeployment(services, id);
}

export async function revealDeployment(services: Services, id: string): Promise<void> {
  if (!services.store.get(id)) {
    throw new UserError(vscode.l10n.t('“{id}” is not in the list.', { id }), [
      { ...addDeploymentAction, arguments: [{ id }] },
    ]);
  }
  await services.reveal(id);
}

/** Waits for a written setting to reach the store, by an event a moment later. `false`: another scope's setting hides it. */
export async function whenListed(store: Pick<Store, 'get' | 'onDidChange'>, id: string): Promise<boolean> {
  if (store.get(id)) return true;
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      listener.dispose();
      resolve(store.get(id) !== undefined);
    };
    const timer = setTimeout(finish, 3000);
    const listener = store.onDidChange(() => {
      if (store.get(id)) finish();
    });
  });
}
