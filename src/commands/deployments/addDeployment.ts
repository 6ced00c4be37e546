import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../../host/ids.js';
import { placeName } from '../../host/list/place.js';
import { mention, tell } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { sentences } from '../../host/text/format.js';
import { organizationName } from '../../host/text/organization.js';
import { addDeploymentPrefill } from '../../model/input.js';
import { askInSteps, idProblemText, type TextQuestion, warning } from '../questions.js';
import { revealDeployment, whenListed } from './goToDeployment.js';

interface Draft {
  readonly id: string;
  readonly label: string;
}

/** Asks for an id and an optional label, prefilled with those that are given. Each step says which settings file is written. */
export async function addDeployment(services: Services, prefill?: unknown): Promise<void> {
  const given = addDeploymentPrefill(prefill);
  const start: Draft = { id: given.id ?? '', label: given.label ?? '' };
  await services.organizations.ready;
  const answers = await askInSteps<Draft>(vscode.l10n.t('Add Deployment'), start, [
    { field: 'id', question: () => idQuestion(services) },
    { field: 'label', question: (draft) => labelQuestion(services, draft.id.trim()) },
  ]);
  if (!answers) return;
  const id = answers.id.trim();
  if (isListed(services, id)) sayListed(services, id);
  else await addToList(services, id, answers.label.trim() || undefined);
}

/** Adds the deployment to the list, reads it at once, and shows its row. Also for a link, once the person has agreed. */
export async function addToList(services: Services, id: string, label: string | undefined): Promise<void> {
  const place = await services.deploymentList.add(id, label);
  mention(
    services.deploymentList.untrusted
      ? vscode.l10n.t('Added to {place}, since this workspace is not trusted.', { place: placeName(place) })
      : vscode.l10n.t('Added to {place}.', { place: placeName(place) }),
  );
  if (!services.organizations.current || !(await whenListed(services.store, id))) return;
  const reading = services.store.refresh(id);
  await revealDeployment(services, id);
  const deployment = await reading;
  // The problems are below the row, so it is opened.
  if (deployment?.answer && deployment.answer.findings.problems.length > 0) await services.open(id);
}

export function isListed({ deploymentList }: Services, id: string): boolean {
  return deploymentList.listed.some((listed) => listed.id === id);
}

/** Which settings file an addition goes to, and which organization is asked. */
export function targetText({ organizations, deploymentList }: Services): string {
  const place = placeName(deploymentList.addTarget);
  return sentences(
    deploymentList.untrusted
      ? vscode.l10n.t('It is added to {place}, since this workspace is not trusted.', { place })
      : vscode.l10n.t('It is added to {place}.', { place }),
    organizations.current
      ? vscode.l10n.t('“{name}” is asked about it.', { name: organizationName(organizations.current) })
      : vscode.l10n.t('It is read as soon as you are signed in.'),
  );
}

function idQuestion(services: Services): TextQuestion {
  return {
    prompt: sentences(vscode.l10n.t('The id of the deployment.'), targetText(services)),
    validate: (value) => idMessage(services, value.trim()) ?? listedWarning(services, value.trim()),
    required: vscode.l10n.t('Enter the id of a deployment.'),
  };
}

/** Why this can't be the id of a deployment. */
export function idMessage(services: Services, id: string): string | undefined {
  return idProblemText(services.organizations, id, {
    empty: vscode.l10n.t('Enter the id of a deployment.'),
    token: vscode.l10n.t('This is a token, not the id of a deployment. It must not be written into settings.'),
  });
}

function listedWarning(services: Services, id: string) {
  return isListed(services, id)
    ? warning(vscode.l10n.t('This deployment is in the list already. Press Enter to show it or to label it.'))
    : undefined;
}

/** Not asked for a deployment that is listed already: setting its label is offered afterwards. */
function labelQuestion(services: Services, id: string): TextQuestion | undefined {
  if (isListed(services, id)) return undefined;
  return {
    prompt: sentences(vscode.l10n.t('A label for “{id}”, if you like.', { id }), targetText(services)),
    placeholder: vscode.l10n.t('Optional'),
    validate: (value) => labelMessage(services, value),
  };
}

/** Why this can't be a label. */
export function labelMessage({ organizations }: Services, label: string): string | undefined {
  return organizations.holdsToken(label)
    ? vscode.l10n.t('There is a token in this label. It must not be written into settings.')
    : undefined;
}

function sayListed(services: Services, id: string): void {
  const label = services.deploymentList.listed.find((listed) => listed.id === id)?.label;
  tell(
    label === undefined
      ? vscode.l10n.t('“{id}” is in the list already.', { id })
      : vscode.l10n.t('“{id}” is in the list already, as “{label}”.', { id, label }),
    { title: vscode.l10n.t('Show'), command: internalCommandIds.revealDeployment, arguments: [id] },
    { title: vscode.l10n.t('Set Label…'), command: commandIds.setDeploymentLabel, arguments: [id] },
  );
}
