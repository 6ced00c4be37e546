import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { extensionId } from '../../host/ids.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { numberText, plural } from '../../host/text/format.js';
import { nameList } from '../../host/text/problem.js';
import { deploymentsReport } from '../../host/text/report.js';
import { deploymentLink } from '../../model/deepLinks.js';
import type { Deployment } from '../../model/deployment.js';
import { copyIdOf, deploymentsOf, type Row } from '../arguments.js';
import { chooseDeployments, deploymentItems, listedDeployments, type Wording } from './pickDeployment.js';

/** The ids of the rows, one a line: of the menu's row, the selection, or of deployments that are asked for. Never a token. */
export async function copyId(services: Services, rows: readonly Row[]): Promise<void> {
  const title = vscode.l10n.t('Copy ID');
  const placeHolder = vscode.l10n.t('Select the deployments whose IDs to copy');
  const none = vscode.l10n.t('The service sent no ID to copy.');
  const ids = await idsOf(services, rows, { title, placeHolder, canPickMany: true }, none);
  if (ids.length === 0) return;
  await vscode.env.clipboard.writeText(ids.join('\n'));
  const words = { id: ids[0]!, ids: nameList(ids), count: numberText(ids.length) };
  mention(
    ids.length === 1 ? vscode.l10n.t('Copied “{id}”.', words) : vscode.l10n.t('Copied {count} IDs: {ids}.', words),
  );
}

/** Links for a colleague, one a line, each with its label. Never a token or an organization. */
export async function copyLink(services: Services, rows: readonly Row[]): Promise<void> {
  const { log } = services;
  const wording = { title: vscode.l10n.t('Copy Link'), placeHolder: vscode.l10n.t('Deployment whose link to copy') };
  const chosen = await chooseDeployments(services, rows, wording);
  if (chosen.length === 0) return;
  const isSecret = (text: string) => log.redact(text) !== text;
  const links = chosen.map(({ id, label = '' }) => {
    if (isSecret(id))
      throw new UserError(
        vscode.l10n.t('This ID contains a secret and is not put into a URL. Check the ID in the list.'),
      );
    const link = deploymentLink(id, isSecret(label) ? '' : label);
    if (link === undefined)
      throw new UserError(vscode.l10n.t('No link can hold the ID “{id}”. Copy the ID instead.', { id }));
    return `${vscode.env.uriScheme}://${extensionId}${link}`;
  });
  await vscode.env.clipboard.writeText(links.join('\n'));
  const words = { name: chosen[0]!.name, count: numberText(links.length) };
  mention(
    links.length === 1
      ? vscode.l10n.t('Copied the link to “{name}”.', words)
      : vscode.l10n.t('Copied the links to {count} deployments.', words),
  );
}

/** The files that list deployments, which mention each of them. */
const listFiles = '**/.vscode/settings.json, **/*.code-workspace';

/** VS Code's search for the id of a row, or of a deployment that is asked for. */
export async function findInFiles(services: Services, rows: readonly Row[]): Promise<void> {
  const wording = {
    title: vscode.l10n.t('Find ID in Files'),
    placeHolder: vscode.l10n.t('Deployment whose ID to find'),
  };
  const none = vscode.l10n.t('The service sent no ID to find.');
  const [query] = await idsOf(services, rows, wording, none);
  if (query === undefined) return;
  // VS Code keeps what is excluded for the next search, so its box is shown.
  const files = { filesToExclude: listFiles, showIncludesExcludes: true };
  const search = { query, isRegex: false, matchWholeWord: true, ...files, triggerSearch: true };
  await vscode.commands.executeCommand('workbench.action.findInFiles', search);
}

/** `none`: what is said of rows without an id. Empty if the question was dismissed. */
async function idsOf(services: Services, rows: readonly Row[], wording: Wording, none: string) {
  if (rows.length === 0) return (await chooseDeployments(services, [], wording)).map(({ id }) => id);
  const ids = rows.flatMap((row) => copyIdOf(services, row) || []);
  if (ids.length === 0) throw new UserError(none);
  return [...new Set(ids)];
}

/** Markdown of one deployment, of the selected ones, or of all, for an issue or a chat. */
export async function copyReport(services: Services, rows: readonly Row[]): Promise<void> {
  const selected = new Set(deploymentsOf(services, rows).map((deployment) => deployment.id));
  // Worst first, in whatever order they were selected.
  const found = services.store.deployments.filter((deployment) => selected.has(deployment.id));
  const chosen = found.length > 0 ? found : await pickOneOrAll(services);
  if (chosen.length === 0) return;
  await vscode.env.clipboard.writeText(deploymentsReport(chosen, (owned) => services.owners.of(owned)));
  const count = numberText(chosen.length);
  mention(
    plural(
      chosen.length,
      vscode.l10n.t('Copied the report on {count} deployment.', { count }),
      vscode.l10n.t('Copied the report on {count} deployments.', { count }),
    ),
  );
}

async function pickOneOrAll(services: Services): Promise<readonly Deployment[]> {
  const every = listedDeployments(services);
  const all = {
    label: vscode.l10n.t('All deployments'),
    description: numberText(every.length),
    iconPath: new vscode.ThemeIcon('list-unordered'),
  };
  const items = [...(every.length > 1 ? [all] : []), ...deploymentItems(services, every)];
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly deployment?: Deployment }>(items, {
    title: vscode.l10n.t('Copy Authorization Report'),
    placeHolder: vscode.l10n.t('Select what to report on'),
    matchOnDescription: true,
  });
  if (!chosen) return [];
  return chosen.deployment ? [chosen.deployment] : every;
}
