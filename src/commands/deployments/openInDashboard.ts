import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { foreignCharacter } from '../../api/entered/baseUrl.js';
import { withoutQuotes } from '../../api/entered/pastedText.js';
import { settingAction, UserError } from '../../host/actions.js';
import { configurationSection, settingKeys } from '../../host/ids.js';
import { choose, confirm } from '../../host/messages.js';
import type { Organization } from '../../host/organizations/organization.js';
import type { Services } from '../../host/services.js';
import { characterName } from '../../host/text/characters.js';
import { organizationName } from '../../host/text/organization.js';
import {
  type DashboardProblem,
  dashboardPage,
  dashboardProblem,
  placeholder,
} from '../../model/entered/dashboard.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseDeployments } from './pickDeployment.js';

const setting = `${configurationSection}.${settingKeys.dashboardUrl}`;

export async function openInDashboard(services: Services, rows: readonly Row[]): Promise<void> {
  const { settings, log, machineState } = services;
  const organization = await currentOrganization(services);
  const template = settings.dashboardUrl;
  const problem = dashboardProblem(template);
  if (problem)
    throw new UserError(templateProblemText(problem, template), [settingAction(setting)]);
  const [deployment] = await chooseDeployments(services, rows, vscode.l10n.t('Open in Dashboard'));
  if (!deployment) return;
  const { id } = deployment;
  refuseSecret(log, id);
  const page = dashboardPage(template, id);
  // A remote window may lead such a host elsewhere, and then decodes the whole URL.
  if (page.isLoopback && !page.isPlain && vscode.env.remoteName !== undefined) {
    throw new UserError(
      vscode.l10n.t(
        'A remote window may change this ID on its way to {host}. Copy the ID, and open the dashboard yourself.',
        { host: page.host },
      ),
    );
  }
  const agreed = agreedKey(organization, page);
  if (machineState.get<unknown>(agreed) !== true) {
    const words = { host: page.host, name: organizationName(organization) };
    const question = vscode.l10n.t('Open {host} for {name}?', words);
    if (!(await confirm(question, [page.url], vscode.l10n.t('Open')))) return;
    await machineState.update(agreed, true);
  }
  // A string, since VS Code undoes the encoding of a `Uri`.
  await vscode.commands.executeCommand('vscode.open', page.url);
}

function refuseSecret(log: Pick<Services['log'], 'redact'>, id: string): void {
  if (log.redact(id) === id) return;
  throw new UserError(
    vscode.l10n.t('This ID contains a secret and is not put into a URL. Check the ID in the list.'),
  );
}

/** Gives the address of a deployment's page by its ID. `undefined`: the address may not be told. */
export type PageOf = (id: string) => string | undefined;

const noPage: PageOf = () => undefined;

/**
 * Returns what gives the addresses of pages that the user has agreed to tell and to open. Asks for that once for
 * each organization and site; `undefined` if the user cancels.
 */
export async function pagesToTell(
  services: Services,
  exampleId: string | undefined,
): Promise<PageOf | undefined> {
  const { log, machineState, organizations, settings } = services;
  const template = settings.dashboardUrl;
  const { current } = organizations;
  if (!current || dashboardProblem(template)) return noPage;
  const pageOf: PageOf = (id) => {
    const { url } = dashboardPage(template, id);
    return log.redact(id) === id && log.redact(url) === url ? url : undefined;
  };
  const example = exampleId === undefined ? undefined : pageOf(exampleId);
  if (example === undefined) return noPage;
  // The ID never stands in the host, so all pages are of one site.
  const site = dashboardPage(template, 'any');
  const agreed = agreedKey(current, site);
  const answer = machineState.get<unknown>(agreed);
  if (answer === true) return pageOf;
  if (answer === false) return noPage;
  const [include, leaveOut] = [vscode.l10n.t('Include'), vscode.l10n.t('Leave Out')];
  const words = { host: site.host, name: organizationName(current) };
  const chosen = await choose(
    vscode.l10n.t('Include the dashboard’s address in requests?'),
    [
      vscode.l10n.t(
        'Requests for {name} then contain an address at {host}. Open in Dashboard opens it without another question.',
        words,
      ),
      example,
    ],
    include,
    leaveOut,
  );
  if (chosen === undefined) return undefined;
  // Open in Dashboard asks again after a no, and its yes counts for requests, too.
  await machineState.update(agreed, chosen === include);
  return chosen === include ? pageOf : noPage;
}

/** The machine remembers a hash, and nothing of organization or site. */
function agreedKey(
  { id, baseUrl }: Organization,
  { origin }: ReturnType<typeof dashboardPage>,
): string {
  const facts = [id, baseUrl, origin];
  return `dashboard.${createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 16)}`;
}

function templateProblemText(problem: DashboardProblem, template: string): string {
  const example = `https://dash.example/deployments/${placeholder}`;
  const character = characterName(foreignCharacter(withoutQuotes(template)) ?? '');
  const words = { setting, placeholder, example, character };
  return {
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
  }[problem];
}
