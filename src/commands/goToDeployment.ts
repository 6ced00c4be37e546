import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { pickDeployment } from './pickDeployment.js';
import { revealDeployment } from './revealDeployment.js';

/** Finds one among many by label, id or state, and shows its row. */
export async function goToDeployment(services: Services): Promise<void> {
  const deployment = await pickDeployment(services, {
    title: vscode.l10n.t('Go to Deployment'),
    placeholder: vscode.l10n.t('Label, id or state'),
  });
  if (deployment) await revealDeployment(services, deployment.id);
}
