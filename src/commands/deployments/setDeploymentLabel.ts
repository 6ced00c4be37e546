import * as vscode from 'vscode';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { askOneText } from '../questions.js';
import { labelMessage } from './addDeployment.js';
import { meantDeployments } from './pickDeployment.js';
import { placeNames } from './undo.js';

/** The name that a deployment has in the views; empty input takes it away. */
export async function setDeploymentLabel(services: Services, row?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set Deployment Label');
  const placeHolder = vscode.l10n.t('Deployment to label');
  const [deployment] = await meantDeployments(services, [row], { title, placeHolder });
  if (!deployment) return;
  const before = deployment.label ?? '';
  const given = await askOneText(title, {
    prompt: vscode.l10n.t('Label for “{id}”. Leave it empty to remove the label.', { id: deployment.id }),
    placeholder: vscode.l10n.t('No label'),
    value: before,
    validate: (value) => labelMessage(services, value),
  });
  const label = given?.trim();
  if (label === undefined || label === before) return;
  const change = await services.deploymentList.setLabel(deployment.id, label || undefined);
  const places = placeNames(change);
  mention(
    label === ''
      ? vscode.l10n.t('Label removed from {places}.', { places })
      : vscode.l10n.t('Label saved in {places}.', { places }),
  );
}
