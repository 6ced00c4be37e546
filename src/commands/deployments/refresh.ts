import * as vscode from 'vscode';
import { viewIds } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import { type CommandArguments, deploymentsOf } from '../arguments.js';
import { currentOrganization } from '../organizations/switchOrganization.js';
import { listedDeployments, pickDeployment } from './pickDeployment.js';

/** Reads every deployment again. How far it has come stands in the view; what came of it, in the rows. */
export async function refresh(services: Services): Promise<void> {
  await currentOrganization(services);
  listedDeployments(services);
  await services.store.refreshAll();
}

/** Reads one deployment (or the selected ones), ahead of a refresh of all. What came of it stands in its row. */
export async function refreshDeployment(services: Services, ...args: CommandArguments): Promise<void> {
  await currentOrganization(services);
  const rows = deploymentsOf(services, args);
  const chosen = rows.length > 0 ? rows : await pickOne(services);
  if (chosen.length === 0) return;
  await vscode.window.withProgress({ location: { viewId: viewIds.deployments } }, () =>
    Promise.all(chosen.map((deployment) => services.store.refresh(deployment.id))),
  );
}

async function pickOne(services: Services) {
  const deployment = await pickDeployment(services, {
    title: vscode.l10n.t('Refresh Deployment'),
    placeholder: vscode.l10n.t('Deployment to read again'),
  });
  return deployment ? [deployment] : [];
}
