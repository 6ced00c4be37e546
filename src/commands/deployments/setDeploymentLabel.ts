import * as vscode from 'vscode';
import { placeName } from '../../host/list/place.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { type CommandArguments, deploymentsOf } from '../arguments.js';
import { askOneText } from '../questions.js';
import { labelMessage } from './addDeployment.js';
import { pickDeployment } from './pickDeployment.js';

/** The name that a deployment has in the views; empty input takes it away. */
export async function setDeploymentLabel(services: Services, row?: CommandArguments[number]): Promise<void> {
  const title = vscode.l10n.t('Set Deployment Label');
  const [meant] = deploymentsOf(services, [row]);
  const deployment =
    meant ?? (await pickDeployment(services, { title, placeholder: vscode.l10n.t('Deployment to label') }));
  if (!deployment) return;
  const before = deployment.label ?? '';
  const given = await askOneText(title, {
    prompt: vscode.l10n.t('Label of “{id}”. Empty input removes it.', { id: deployment.id }),
    placeholder: vscode.l10n.t('No label'),
    value: before,
    validate: (value) => labelMessage(services, value),
  });
  const label = given?.trim();
  if (label === undefined || label === before) return;
  const place = await services.deploymentList.setLabel(deployment.id, label || undefined);
  mention(
    label === ''
      ? vscode.l10n.t('The label is removed from {place}.', { place: placeName(place) })
      : vscode.l10n.t('The label is written to {place}.', { place: placeName(place) }),
  );
}
