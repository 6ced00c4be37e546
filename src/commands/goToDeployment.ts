import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { stepDone } from '../host/walkthroughSteps.js';
import { pickDeployment } from './pickDeployment.js';
import { revealDeployment } from './revealDeployment.js';
import { currentOrganization } from './whichOrganization.js';

/** Finds one among many by label, id or state, and shows its row. */
export async function goToDeployment(services: Services): Promise<void> {
  // Without an organization the view is empty: there would be no row to go to.
  await currentOrganization(services);
  const deployment = await pickDeployment(services, {
    title: vscode.l10n.t('Go to Deployment'),
    placeholder: vscode.l10n.t('Label, id or state'),
  });
  if (!deployment) return;
  await revealDeployment(services, deployment.id);
  stepDone('hasGoneToDeployment');
}
