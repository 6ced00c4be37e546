import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { foreignCharacter } from '../../api/entered/baseUrl.js';
import { withoutQuotes } from '../../api/entered/pastedText.js';
import { settingAction, UserError } from '../../host/actions.js';
import { configurationSection, settingKeys } from '../../host/ids.js';
import { chooseButton, confirm } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { characterName } from '../../host/text/characters.js';
import { organizationName } from '../../host/text/organization.js';
import {
  type DashboardProblem,
  dashboardPage,
  dashboardProblem,
  idPlaceholder,
} from '../../model/entered/dashboard.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseDeployments } from './pickDeployment.js';

const setting = `${configurationSection}.${settingKeys.dashboardUrl}`;

/**
 * Opens the dashboard's page of one deployment. Asks for each organization and site whether it may
 * be opened, until the user agrees. Throws if the setting has no usable URL, or if the ID may not
 * be put into it.
 */
export async function openInDashboard(services: Services, rows: readonly Row[]): Promise<void> {
  const { settings, log, machineState } = services;
  const organization = await currentOrganization(services);
  const template = settings.dashboardUrl;
  const problem = dashboardProblem(template);
  if (problem) {
    throw new UserError(templateProblemText(problem, template), [settingAction(setting)]);
  }
  const [deployment] = await chooseDeployments(services, rows, vscode.l10n.t('Open in Dashboard'));
  if (!deployment) return;

  const { id } = deployment;
  refuseSecret(log, id);
  const page = dashboardPage(template, id);
  refuseChangedId(page);

  const key = agreementKey(organization, page);
  if (machineState.get<unknown>(key) !== true) {
    const words = { host: page.host, name: organizationName(organization) };
    const question = vscode.l10n.t('Open {host} for {name}?', words);
    if (!(await confirm(question, [page.url], vscode.l10n.t('Open')))) return;
    await machineState.update(key, true);
  }
  // The URL is passed as a string, since VS Code undoes the encoding of a `Uri`.
  await vscode.commands.executeCommand('vscode.open', page.url);
}

type DashboardPage = ReturnType<typeof dashboardPage>;

function refuseSecret(log: Pick<Services['log'], 'redact'>, id: string): void {
  if (log.redact(id) === id) return;
  throw new UserError(
    vscode.l10n.t('This ID contains a secret and is not put into a URL. Check the ID in the list.'),
  );
}

/**
 * A remote window may forward a loopback host to another machine, and then decodes the whole URL.
 * Only an ID without encoded characters arrives unchanged.
 */
function refuseChangedId({ host, isLoopback, isPlain }: DashboardPage): void {
  const isRemote = vscode.env.remoteName !== undefined;
  if (!isRemote || !isLoopback || isPlain) return;
  throw new UserError(
    vscode.l10n.t(
      'A remote window may change this ID on its way to {host}. Copy the ID, and open the dashboard yourself.',
      { host },
    ),
  );
}

/** Returns the address of a deployment's page; `undefined` if it may not be in a request. */
export type PageUrlOf = (deploymentId: string) => string | undefined;

const noPage: PageUrlOf = () => undefined;

/**
 * Resolves with a function that returns the addresses of pages that may be in a request. Asks the
 * user for that once for each organization and site, with the page of `exampleId` as the example.
 * Resolves with `undefined` if the user cancels.
 */
export async function pagesToInclude(
  services: Services,
  exampleId: string | undefined,
): Promise<PageUrlOf | undefined> {
  const { log, machineState, organizations, settings } = services;
  const template = settings.dashboardUrl;
  const { current } = organizations;
  if (!current || dashboardProblem(template)) return noPage;
  const pageUrlOf: PageUrlOf = (deploymentId) => {
    const { url } = dashboardPage(template, deploymentId);
    const hasSecret = log.redact(deploymentId) !== deploymentId || log.redact(url) !== url;
    return hasSecret ? undefined : url;
  };
  const exampleUrl = exampleId === undefined ? undefined : pageUrlOf(exampleId);
  if (exampleUrl === undefined) return noPage;

  // The ID never stands in the host, so the pages of all deployments are of one site.
  const site = dashboardPage(template, 'any');
  const key = agreementKey(current, site);
  const agreement = machineState.get<unknown>(key);
  if (agreement === true) return pageUrlOf;
  if (agreement === false) return noPage;

  const include = vscode.l10n.t('Include');
  const leaveOut = vscode.l10n.t('Leave Out');
  const words = { host: site.host, name: organizationName(current) };
  const consequence = vscode.l10n.t(
    'Requests for {name} then contain an address at {host}. Open in Dashboard opens it without another question.',
    words,
  );
  const chosen = await chooseButton(
    vscode.l10n.t('Include the dashboard’s address in requests?'),
    [consequence, exampleUrl],
    include,
    leaveOut,
  );
  if (chosen === undefined) return undefined;
  const isIncluded = chosen === include;
  // After a no, Open in Dashboard asks again, and a yes there also allows addresses in requests.
  await machineState.update(key, isIncluded);
  return isIncluded ? pageUrlOf : noPage;
}

/**
 * Returns the key under which the machine remembers the user's answer. It is a hash, so that it
 * shows neither the organization nor the site.
 */
function agreementKey(
  { id, baseUrl }: Pick<Organization, 'id' | 'baseUrl'>,
  { origin }: Pick<DashboardPage, 'origin'>,
): string {
  const facts = JSON.stringify([id, baseUrl, origin]);
  const hash = createHash('sha256').update(facts).digest('base64url').slice(0, 16);
  return `dashboard.${hash}`;
}

/** "automationPlatform.dashboardUrl contains credentials. Remove them." */
function templateProblemText(problem: DashboardProblem, template: string): string {
  const example = `https://dash.example/deployments/${idPlaceholder}`;
  const character = characterName(foreignCharacter(withoutQuotes(template)) ?? '');
  const words = { setting, placeholder: idPlaceholder, example, character };
  const texts: Record<DashboardProblem, string> = {
    placeholder: vscode.l10n.t(
      '{setting} holds a placeholder that was not filled in. Use the form {example}.',
      words,
    ),
    character: vscode.l10n.t('{setting} contains {character}. Remove or replace it.', words),
    twoSchemes: vscode.l10n.t('{setting} has two schemes. Remove one of them.', words),
    changedHost: vscode.l10n.t(
      '{setting} has a host that is not written in full. Write it out.',
      words,
    ),
    notAUrl: vscode.l10n.t('{setting} is not a full URL. Use the form {example}.', words),
    scheme: vscode.l10n.t('{setting} does not start with https. Use https.', words),
    credentials: vscode.l10n.t('{setting} contains credentials. Remove them.', words),
    insecure: vscode.l10n.t('{setting} uses http for another machine. Use https.', words),
    missing: vscode.l10n.t(
      '{setting} does not contain {placeholder}. Put it where the ID belongs.',
      words,
    ),
    host: vscode.l10n.t(
      '{setting} has {placeholder} in its host. Move it to the path, query, or fragment.',
      words,
    ),
  };
  return texts[problem];
}
