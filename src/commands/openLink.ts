import * as vscode from 'vscode';
import { UserError } from '../host/actions.js';
import { confirm } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { sentences } from '../host/text/format.js';
import { organizationName } from '../host/text/organization.js';
import { type DeepLink, type RefusedLink, readDeepLink } from '../model/input.js';
import { addToList, idMessage, isListed, labelMessage, targetText } from './deployments/addDeployment.js';
import { revealDeployment, whenListed } from './deployments/goToDeployment.js';
import { lookUp } from './lookUpInstall.js';
import { currentOrganization } from './organizations/switchOrganization.js';

/** Does what a link asks for, after the person has agreed. */
export async function openLink(services: Services, uri: vscode.Uri): Promise<void> {
  const link = readDeepLink(uri.path, uri.query);
  switch (link.kind) {
    case 'refused':
      throw refused(link);
    case 'deployment':
      return openDeployment(services, link);
    case 'install':
      return openInstall(services, link.token);
    default:
      return link satisfies never;
  }
}

/** A deployment that is listed already is only shown, so nothing is asked. */
async function openDeployment(
  services: Services,
  { id, label }: Extract<DeepLink, { kind: 'deployment' }>,
): Promise<void> {
  await services.organizations.ready;
  // A link may have started the extension, and then the store has not heard of the list yet.
  if (services.organizations.current && isListed(services, id) && (await whenListed(services.store, id))) {
    await revealDeployment(services, id);
    return;
  }
  const wrong = idMessage(services, id) ?? (label === undefined ? undefined : labelMessage(services, label));
  if (wrong !== undefined) throw new UserError(sentences(vscode.l10n.t('A link could not be opened.'), wrong));
  if (isListed(services, id)) throw new UserError(vscode.l10n.t('“{id}” is in the list already.', { id }));
  const agreed = await confirm(
    vscode.l10n.t('A link asks to add the deployment “{id}” to the list.', { id }),
    [...(label === undefined ? [] : [vscode.l10n.t('Label: {label}', { label })]), targetText(services)],
    vscode.l10n.t('Add Deployment'),
  );
  if (agreed) await addToList(services, id, label);
}

/** The token stays hidden: whoever sees it could complete the install. */
async function openInstall(services: Services, token: string): Promise<void> {
  const organization = await currentOrganization(services);
  const agreed = await confirm(
    vscode.l10n.t('A link asks to look up a pending install.'),
    [
      vscode.l10n.t('Organization: {name}', { name: organizationName(organization) }),
      vscode.l10n.t('Base URL: {url}', { url: organization.baseUrl }),
      '',
      vscode.l10n.t('The install token in the link is sent there. It is a secret, so it is not shown.'),
    ],
    vscode.l10n.t('Look Up Install'),
  );
  if (agreed) await lookUp(services, organization, token);
}

function refused({ reason, parameter }: RefusedLink): UserError {
  return new UserError(
    sentences(vscode.l10n.t('A link was not opened, and nothing was done.'), why(reason, parameter)),
  );
}

function why(reason: RefusedLink['reason'], name = ''): string {
  switch (reason) {
    case 'path':
      return vscode.l10n.t('It asks for something that this extension does not know.');
    case 'unknownParameter':
      return vscode.l10n.t('It has a parameter that is not known.');
    case 'repeated':
      return vscode.l10n.t('Its parameter “{name}” is there more than once.', { name });
    case 'tooLong':
      return vscode.l10n.t('Its parameter “{name}” is too long.', { name });
    case 'missing':
      return vscode.l10n.t('Its parameter “{name}” is missing.', { name });
    case 'noToken':
      return vscode.l10n.t('There is not exactly one install token in it.');
    default:
      return reason satisfies never;
  }
}
