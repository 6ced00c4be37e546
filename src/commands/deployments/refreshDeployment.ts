import * as vscode from 'vscode';
import type { Services } from '../../host/services.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseDeployments } from './pickDeployment.js';
import { offerWatch } from './watch.js';

/** Reads one deployment (or the selected ones), ahead of a refresh of all. What came of it is in the rows. */
export async function refreshDeployment(services: Services, rows: readonly Row[]): Promise<void> {
  await currentOrganization(services);
  const wording = { title: vscode.l10n.t('Refresh Deployment'), placeHolder: vscode.l10n.t('Deployment to refresh') };
  const chosen = await chooseDeployments(services, rows, wording);
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  await services.store.refresh(ids, { urgent: true });
  // By an id it was Check Again in an editor, where no row says what came of it.
  const [row] = rows;
  if (row?.isIdAlone) offerWatch(services, chosen[0]!.id);
}
