import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import { isRecord } from '../../api/json.js';
import { UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { unreadableText } from '../../host/text/deployment.js';
import { failureWords } from '../../host/text/failure.js';
import { numberText, plural } from '../../host/text/format.js';
import { problemAdvice, problemMessage } from '../../host/text/problem.js';
import { stateWord } from '../../host/text/states.js';
import type { Deployment } from '../../model/deployment.js';
import { codeSpan } from '../../model/inertText.js';
import { deploymentsReportParts, type ReportWording } from '../../model/report.js';
import { Slices } from '../../model/slices.js';
import { type CommandArguments, copyIdOf, deploymentsOf, rowsOf } from '../arguments.js';
import { deploymentItems, listedDeployments, meantDeployments, type Wording } from './pickDeployment.js';

/** The ids of the rows, one a line: of the menu's row, the selection, or of deployments that are asked for. Never a token. */
export async function copyId(services: Services, ...args: CommandArguments): Promise<void> {
  const title = vscode.l10n.t('Copy ID');
  const placeHolder = vscode.l10n.t('Select the deployments whose IDs to copy');
  const none = vscode.l10n.t('The service sent no ID to copy.');
  const ids = await meantIds(services, args, { title, placeHolder, canPickMany: true }, none);
  if (ids.length === 0) return;
  await vscode.env.clipboard.writeText(ids.join('\n'));
  const count = numberText(ids.length);
  mention(ids.length === 1 ? vscode.l10n.t('ID copied.') : vscode.l10n.t('{count} IDs copied.', { count }));
}

/** VS Code's search for the id of a row, or of a deployment that is asked for. */
export async function findInFiles(services: Services, row: unknown): Promise<void> {
  const wording = { title: vscode.l10n.t('Find in Files'), placeHolder: vscode.l10n.t('Deployment whose ID to find') };
  const none = vscode.l10n.t('The service sent no ID to find.');
  const [query] = await meantIds(services, [row], wording, none);
  if (query === undefined) return;
  const search = { query, isRegex: false, matchWholeWord: true, triggerSearch: true };
  await vscode.commands.executeCommand('workbench.action.findInFiles', search);
}

/** `none`: what is said of rows without an id. Empty if the question was dismissed. */
async function meantIds(services: Services, args: CommandArguments, wording: Wording, none: string) {
  const rows = rowsOf(args);
  if (rows.length === 0) return (await meantDeployments(services, [], wording)).map(({ id }) => id);
  const ids = rows.map((row) => copyIdOf(services, row)).filter((id) => id !== undefined && id !== '');
  if (ids.length === 0) throw new UserError(none);
  return [...new Set(ids)];
}

/** What helps against the problem of a row, as a whole sentence for whoever can do it. */
export async function copyStep(services: Services, row?: unknown): Promise<void> {
  const [deployment] = deploymentsOf(services, [row]);
  const { problem: meant, accountId } = isRecord(row) ? row : {};
  const key = isRecord(meant) ? meant['key'] : undefined;
  const problem =
    typeof accountId === 'string'
      ? services.impact.account(accountId)?.finding.problem
      : deployment?.answer?.findings.all.find((one) => one.key === key);
  if (!problem) return;
  await vscode.env.clipboard.writeText(problemAdvice(problem));
  mention(vscode.l10n.t('Step copied.'));
}

/** Markdown of one deployment, of the selected ones, or of all, for an issue or a chat. */
export async function copyReport(services: Services, ...args: CommandArguments): Promise<void> {
  const selected = new Set(deploymentsOf(services, args).map((deployment) => deployment.id));
  // Worst first, in whatever order they were selected.
  const rows = services.store.deployments.filter((deployment) => selected.has(deployment.id));
  const chosen = rows.length > 0 ? rows : await pickOneOrAll(services);
  if (chosen.length === 0) return;
  const report = await new Slices().collect(deploymentsReportParts(chosen, reportWording()));
  await vscode.env.clipboard.writeText(report.join(''));
  const count = numberText(chosen.length);
  mention(
    plural(
      chosen.length,
      vscode.l10n.t('Report on {count} deployment copied.', { count }),
      vscode.l10n.t('Report on {count} deployments copied.', { count }),
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
  const one = new Slices().collect(deploymentItems(every));
  const items = every.length > 1 ? one.then((each) => [all, ...each]) : one;
  const chosen = await vscode.window.showQuickPick<vscode.QuickPickItem & { readonly deployment?: Deployment }>(items, {
    title: vscode.l10n.t('Copy Authorization Report'),
    placeHolder: vscode.l10n.t('Select what to report on'),
    matchOnDescription: true,
  });
  if (!chosen) return [];
  return chosen.deployment ? [chosen.deployment] : every;
}

export function reportWording(): ReportWording {
  return {
    summary: ({ total, failing, unknown, muted }) => {
      const counts = {
        total: numberText(total),
        failing: numberText(failing),
        unknown: numberText(unknown),
        muted: numberText(muted),
      };
      return plural(
        total,
        vscode.l10n.t('{total} deployment: {failing} failing, {unknown} unknown, {muted} muted', counts),
        vscode.l10n.t('{total} deployments: {failing} failing, {unknown} unknown, {muted} muted', counts),
      );
    },
    columns: [vscode.l10n.t('Deployment'), vscode.l10n.t('What is wrong'), vscode.l10n.t('Next step')],
    mutedColumns: [vscode.l10n.t('Deployment'), vscode.l10n.t('What is muted'), vscode.l10n.t('Muted until')],
    problem: problemMessage,
    nextStep: problemAdvice,
    others: (count) =>
      plural(
        count,
        vscode.l10n.t('{count} other deployment, healthy, muted or unknown', { count: numberText(count) }),
        vscode.l10n.t('{count} other deployments, healthy, muted or unknown', { count: numberText(count) }),
      ),
    requirements: vscode.l10n.t('Requirements'),
    accounts: vscode.l10n.t('Accounts'),
    none: vscode.l10n.t('none'),
    readAt: (time) => vscode.l10n.t('Read on {time}.', { time }),
    stale: (failure, time) => vscode.l10n.t('Stale: {failure} on {time}.', { time, failure: failureText(failure) }),
    unknown: (failure, time) => vscode.l10n.t('Unknown: {failure} on {time}.', { time, failure: failureText(failure) }),
    unreadableFields: unreadableText,
    state: stateWord,
    boundAccountAbsent: vscode.l10n.t('not among the accounts'),
    scopeState: (state) =>
      ({
        granted: vscode.l10n.t('granted'),
        missing: vscode.l10n.t('missing'),
        unknown: stateWord('unknown'),
      })[state],
    required: vscode.l10n.t('required'),
    minimal: vscode.l10n.t('minimal'),
    ownConnection: vscode.l10n.t('method of the bound account'),
    seenSince: (time) => vscode.l10n.t('seen since {time}', { time }),
    otherFields: vscode.l10n.t('Other fields, without their values:'),
    leftOut: vscode.l10n.t('Left out: base URL, organization and {field}.', { field: codeSpan('serviceSub') }),
  };
}

/** The name and the status only: no host, and no text of the service. */
function failureText(failure: Failure): string {
  const { word: name } = failureWords(failure);
  return 'status' in failure ? `${name} (${failure.status})` : name;
}
