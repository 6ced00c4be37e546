import * as vscode from 'vscode';
import { isRecord } from '../../api/json.js';
import { UserError } from '../../host/actions.js';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { absoluteTime, dayText, numberText } from '../../host/text/format.js';
import { problemMessage, problemWord } from '../../host/text/problem.js';
import type { Deployment } from '../../model/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import type { Problem } from '../../model/problems/findings.js';
import { aboutOf, day, longestMute } from '../../model/problems/mutes.js';
import { Slices } from '../../model/slices.js';
import { type CommandArguments, deploymentsOf, rowsOf } from '../arguments.js';
import { currentOrganization } from '../organizations/currentOrganization.js';
import { listedDeployments } from './pickDeployment.js';

/** The problems of the rows, or those that are picked, are counted nowhere for a while. */
export async function muteProblem(services: Services, ...args: CommandArguments): Promise<void> {
  const { store } = services;
  const { id } = await currentOrganization(services);
  const title = vscode.l10n.t('Mute Problem');
  const problems = await choose(services, args, title, 'problems');
  const until = problems.length > 0 ? await askUntil(title, problems) : undefined;
  // The problems are those of an organization that may have been switched while the questions were open.
  if (until === undefined || store.organizationId !== id) return;
  store.mute(problems, until);
  mention(vscode.l10n.t('Muted until {time}.', { time: absoluteTime(until) }));
}

export async function unmuteProblem(services: Services, ...args: CommandArguments): Promise<void> {
  const { id } = await currentOrganization(services);
  const problems = await choose(services, args, vscode.l10n.t('Unmute'), 'muted');
  if (problems.length === 0 || services.store.organizationId !== id) return;
  services.store.unmute(problems);
  mention(vscode.l10n.t('No longer muted.'));
}

/** Those of the rows' problems that are muted or not, looked up again; of several in a deployment, or without a row, some are picked. */
async function choose(services: Services, args: CommandArguments, title: string, which: 'problems' | 'muted') {
  const rows = rowsOf(args);
  const own = rows.flatMap((row) => problemOf(services, row, which) ?? []);
  if (rows.length > 0 && own.length === rows.length) return own;
  const deployments = deploymentsOf(services, args);
  const isMeant = deployments.length > 0;
  const among = isMeant ? deployments : listedDeployments(services);
  const items = await new Slices().collect(problemItems(among, which, isMeant));
  if (items.length === 0) {
    throw new UserError(
      which === 'muted' ? vscode.l10n.t('No problem is muted.') : vscode.l10n.t('No problem to mute.'),
    );
  }
  if (isMeant && items.length === 1) return items.map(({ problem }) => problem);
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select problems'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).map(({ problem }) => problem);
}

/** The problem of an account's, a requirement's or a step's row. */
function problemOf(services: Services, row: unknown, which: 'problems' | 'muted'): Problem | undefined {
  const [deployment] = deploymentsOf(services, [row]);
  if (!deployment || !isRecord(row)) return undefined;
  const about = isRecord(row['finding']) ? row['finding']['problem'] : row['problem'];
  return deployment.answer?.findings[which].find(({ key }) => isRecord(about) && key === about['key']);
}

/** An account that several deployments share stands there once, and for the requirements that are bound to it. */
function* problemItems(deployments: readonly Deployment[], which: 'problems' | 'muted', picked: boolean) {
  const offered = new Set<string>();
  for (const deployment of deployments) {
    const problems = deployment.answer?.findings[which] ?? [];
    for (const problem of problems) {
      const account = problem.kind === 'unsatisfiedRequirement' ? problem.finding.bound?.problem : undefined;
      const about = aboutOf(problem);
      if (offered.has(about) || (account && problems.includes(account))) continue;
      offered.add(about);
      const label = inertLabel(problemWord(problem));
      const detail = inertLabel(problemMessage(problem), 400);
      yield { problem, label, description: inertLabel(deployment.name), detail, picked };
    }
  }
}

async function askUntil(title: string, problems: readonly Problem[]): Promise<number | undefined> {
  const now = Date.now();
  const choices = [
    { label: vscode.l10n.t('For a Day'), until: now + day },
    { label: vscode.l10n.t('For a Week'), until: now + 7 * day },
    { label: vscode.l10n.t('Until It Changes'), until: now + longestMute },
  ].map((choice) => ({
    ...choice,
    description: vscode.l10n.t('at most until {time}', { time: dayText(choice.until, now) }),
  }));
  const what =
    problems.length === 1
      ? problemWord(problems[0]!)
      : vscode.l10n.t('{count} problems', { count: numberText(problems.length) });
  const placeHolder = problems.some(({ kind }) => kind === 'failedAccount')
    ? vscode.l10n.t('{problem}: mute in all listed deployments', { problem: what })
    : what;
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: inertLabel(placeHolder, 200) });
  return chosen?.until;
}
