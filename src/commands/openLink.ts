import * as vscode from 'vscode';
import { UserError } from '../host/actions.js';
import { confirm } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { sentences } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { type RefusedLink, readDeepLink } from '../model/deepLinks.js';
import type { ListedDeployment } from '../model/deployment.js';
import { addToList, idMessage, isListed, labelMessage, targetText, unusualText } from './deployments/addDeployment.js';
import { lookUp } from './lookUpInstall.js';
import { currentOrganization } from './organizations.js';

export async function openLink(services: Services, uri: vscode.Uri): Promise<void> {
  const link = readDeepLink(uri.path, uri.query);
  if (link.kind === 'refused') throw refused(link);
  await (link.kind === 'install' ? openInstall(services, link.token) : openDeployment(services, link));
}

/** A deployment that is listed already is only shown, so nothing is asked. The view that shows it may read the list. */
async function openDeployment(services: Services, { id, label }: ListedDeployment): Promise<void> {
  await services.organizations.ready;
  if (services.organizations.current && isListed(services, id)) return services.reveal(id);
  const wrong = idMessage(services, id) ?? (label === undefined ? undefined : labelMessage(services, label));
  if (wrong !== undefined) throw new UserError(sentences(vscode.l10n.t('The link was not opened.'), wrong));
  if (isListed(services, id)) throw new UserError(vscode.l10n.t('“{id}” is already in the list.', { id }));
  const agreed = await confirm(
    vscode.l10n.t('Add deployment “{id}” from a link?', { id }),
    [
      ...(label === undefined ? [] : [vscode.l10n.t('Label: {label}', { label })]),
      sentences(unusualText(id), targetText(services)),
    ],
    vscode.l10n.t('Add Deployment'),
  );
  if (agreed) await addToList(services, [{ id, ...(label && { label }) }]);
}

/** The token stays hidden, since it is all it takes to complete the install. */
async function openInstall(services: Services, token: string): Promise<void> {
  const organization = await currentOrganization(services);
  const agreed = await confirm(
    vscode.l10n.t('Look up an install from a link?'),
    [
      vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
      vscode.l10n.t('Base URL: {url}', { url: organization.baseUrl }),
      '',
      vscode.l10n.t('The install token in the link will be sent to this base URL. It is a secret and stays hidden.'),
    ],
    vscode.l10n.t('Look Up Install'),
  );
  if (agreed) await lookUp(services, organization, token);
}

function refused({ reason, parameter }: RefusedLink): UserError {
  const why =
    reason === 'noToken'
      ? vscode.l10n.t('It has no valid install token.')
      : vscode.l10n.t('It is incomplete or not meant for this extension.');
  const sentence = sentences(vscode.l10n.t('The link was not opened.'), why, vscode.l10n.t('Ask for a new link.'));
  return new UserError(sentence, [], `A link was refused: ${reason}${parameter ? ` (${parameter})` : ''}`);
}
