import * as vscode from 'vscode';
import type { Failure } from '../../api/failure.js';
import { UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { unreadableText } from '../../host/text/deployment.js';
import { numberText, plural } from '../../host/text/format.js';
import { stateWord } from '../../host/text/states.js';
import type { Deployment } from '../../model/deployment.js';
import {
  deploymentReport,
  deploymentsReportParts,
  type ReportedFailure,
  type ReportWording,
} from '../../model/report.js';
import { Slices } from '../../model/slices.js';
import { type CommandArguments, copyIdOf, deploymentsOf, rowsOf } from '../arguments.js';
import { deploymentItems, listedDeployments, pickDeployments } from './pickDeployment.js';

/** The ids of the rows, one a line: of the menu's row, the selection, or of deployments that are asked for. Never a token. */
export async function copyId(services: Services, ...args: CommandArguments): Promise<void> {
  const rows = rowsOf(args);
  const ids = rows.length > 0 ? rows.map((row) => copyIdOf(services, row)) : await pickIds(services);
  if (ids.length === 0) return;
  const known = [...new Set(ids.filter((id) => id !== undefined && id !== ''))];
  if (known.length === 0) throw new UserError(vscode.l10n.t('There is no id to copy: the service sent none.'));
  await vscode.env.clipboard.writeText(known.join('\n'));
  mention(
    known.length === 1
      ? vscode.l10n.t('The id is copied.')
      : vscode.l10n.t('{count} ids are copied.', { count: numberText(known.length) }),
  );
}

async function pickIds(services: Services): Promise<readonly string[]> {
  const deployments = await pickDeployments(services, {
    title: vscode.l10n.t('Copy ID'),
    placeholder: vscode.l10n.t('Deployments whose ids to copy'),
  });
  return deployments.map((deployment) => deployment.id);
}

/** Markdown of one deployment, of the selected ones, or of all, for an issue or a chat. */
export async function copyReport(services: Services, ...args: CommandArguments): Promise<void> {
  const selected = new Set(deploymentsOf(services, args).map((deployment) => deployment.id));
  // Worst first, in whatever order they were selected.
  const rows = services.store.deployments.filter((deployment) => selected.has(deployment.id));
  const chosen = rows.length > 0 ? rows : await pickOneOrAll(services);
  const [first] = chosen;
  if (!first) return;
  const wording = reportWording();
  const report =
    chosen.length === 1
      ? deploymentReport(first, wording)
      : (await new Slices().collect(deploymentsReportParts(chosen, wording))).join('');
  await vscode.env.clipboard.writeText(report);
  const count = numberText(chosen.length);
  mention(
    plural(
      chosen.length,
      vscode.l10n.t('The report on {count} deployment is copied.', { count }),
      vscode.l10n.t('The report on {count} deployments is copied.', { count }),
    ),
  );
}

/** Without a deployment: all of them. */
type AllOr = vscode.QuickPickItem & { readonly deployment?: Deployment };

async function pickOneOrAll(services: Services): Promise<readonly Deployment[]> {
  const every = listedDeployments(services);
  const chosen = await vscode.window.showQuickPick(new Slices().collect(choices(every)), {
    title: vscode.l10n.t('Copy Authorization Report'),
    placeHolder: vscode.l10n.t('What to report on'),
    matchOnDescription: true,
  });
  if (!chosen) return [];
  return chosen.deployment ? [chosen.deployment] : every;
}

function* choices(every: readonly Deployment[]): Generator<AllOr, void, void> {
  if (every.length > 1) {
    yield {
      label: vscode.l10n.t('All deployments'),
      description: numberText(every.length),
      iconPath: new vscode.ThemeIcon('list-unordered'),
    };
  }
  yield* deploymentItems(every);
}

/** The report's sentences. Trusted Markdown: nothing of the service is in them; `model/report.ts` puts values into code spans. */
export function reportWording(): ReportWording {
  return {
    leftOut: vscode.l10n.t('This report leaves out the base URL, the organization and the accounts’ serviceSub.'),
    summary: (total, withProblems, unknown) =>
      plural(
        total,
        vscode.l10n.t('{total} deployment: {problems} with problems, {unknown} unknown', {
          total: numberText(total),
          problems: numberText(withProblems),
          unknown: numberText(unknown),
        }),
        vscode.l10n.t('{total} deployments: {problems} with problems, {unknown} unknown', {
          total: numberText(total),
          problems: numberText(withProblems),
          unknown: numberText(unknown),
        }),
      ),
    requirements: vscode.l10n.t('Requirements'),
    accounts: vscode.l10n.t('Accounts'),
    none: vscode.l10n.t('none'),
    notYetRead: stateWord('notYetRead'),
    readAt: (at) => vscode.l10n.t('Read on {time}.', { time: at }),
    stale: (failure, at) =>
      vscode.l10n.t('Stale: the attempt on {time} failed ({failure}).', {
        time: at,
        failure: reportedFailureWord(failure),
      }),
    unknown: (failure, at) =>
      vscode.l10n.t('Unknown: the attempt on {time} failed ({failure}).', {
        time: at,
        failure: reportedFailureWord(failure),
      }),
    unreadableFields: unreadableText,
    requirementState: stateWord,
    accountState: stateWord,
    boundAccountAbsent: vscode.l10n.t('the bound account is not among the accounts'),
    scopeState: (state) =>
      ({
        held: vscode.l10n.t('held'),
        missing: vscode.l10n.t('missing'),
        unknown: vscode.l10n.t('not known whether held'),
      })[state],
    required: vscode.l10n.t('required'),
    minimal: vscode.l10n.t('minimal'),
    ownConnection: vscode.l10n.t('method of the bound account'),
    seenSince: (at) => vscode.l10n.t('seen since {time}', { time: at }),
    otherFields: vscode.l10n.t('Other fields, without their values:'),
  };
}

const words: Readonly<Record<Failure['kind'], () => string>> = {
  invalidId: () => vscode.l10n.t('id cannot be used'),
  tokenRejected: () => vscode.l10n.t('token rejected'),
  notPermitted: () => vscode.l10n.t('not permitted'),
  notFound: () => vscode.l10n.t('not found'),
  rateLimited: () => vscode.l10n.t('rate limited'),
  clientError: () => vscode.l10n.t('refused'),
  serverError: () => vscode.l10n.t('server error'),
  redirected: () => vscode.l10n.t('redirected'),
  unreachable: () => vscode.l10n.t('unreachable'),
  connectionLost: () => vscode.l10n.t('connection lost'),
  timedOut: () => vscode.l10n.t('timed out'),
  cancelled: () => vscode.l10n.t('cancelled'),
  unusable: () => vscode.l10n.t('answer unusable'),
};

/** Kind and status only: host names and texts of the service stay out of a report. */
function reportedFailureWord({ kind, status }: ReportedFailure): string {
  const word = words[kind]();
  return status === undefined ? word : vscode.l10n.t('{failure}, {status}', { failure: word, status });
}
