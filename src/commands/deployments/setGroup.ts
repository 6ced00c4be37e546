import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import type { Row } from '../arguments.js';
import { offerUndo } from './changeList.js';
import { chooseDeployments } from './pickDeployment.js';
import { scopeNames } from './scopeNames.js';

/** Puts the deployments of these rows into a group that the user picks. */
export async function setGroup(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Set Group');
  const chosen = await chooseDeployments(services, rows, title, { canPickMany: true });
  if (chosen.length === 0) return;
  const group = await vscode.window.showInputBox({ title });
  if (group === undefined) return;
  const ids = chosen.map(({ id }) => id);
  const change = await services.deploymentList.setGroup(ids, group || undefined);
  const places = scopeNames(change.scopes);
  offerUndo(services, change, vscode.l10n.t('Saved the group in {places}.', { places }));
}
