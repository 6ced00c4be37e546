import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { mention, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { absoluteTime, dayText, numberText, plural } from '../../host/text/format.js';
import { problemMessage, problemWord } from '../../host/text/problem.js';
import type { Deployment } from '../../model/deployment.js';
import { inertLabel } from '../../model/inertText.js';
import type { Problem } from '../../model/problems/findings.js';
import { dayMs, maxMuteMs } from '../../model/problems/problemMemory.js';
import { deploymentsOf, type Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { listedDeployments } from './pickDeployment.js';

/** The problems of the rows, or those that are picked, are counted nowhere for a while. */
export async function muteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { store } = services;
  const { id } = await currentOrganization(services);
  const title = vscode.l10n.t('Mute Problem');
  const problems = await choose(services, rows, title, 'problems');
  const until = problems.length > 0 ? await askUntil(title, problems, store.deployments) : undefined;
  // The organization may have been switched while the questions were open.
  if (until === undefined || store.organizationId !== id) return;
  store.mute(problems, until);
  showMessage(vscode.l10n.t('Muted until {time}.', { time: absoluteTime(until) }), {
    title: vscode.l10n.t('Undo'),
    run: async () => store.organizationId === id && store.unmute(problems),
  });
}

export async function unmuteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { id } = await currentOrganization(services);
  const problems = await choose(services, rows, vscode.l10n.t('Unmute Problem'), 'muted');
  if (problems.length === 0 || services.store.organizationId !== id) return;
  services.store.unmute(problems);
  mention(vscode.l10n.t('No longer muted.'));
}

/** Those of the rows' problems that are muted or not, looked up again; of several in a deployment, or without a row, some are picked. */
async function choose(services: Services, rows: readonly Row[], title: string, which: 'problems' | 'muted') {
  const own = rows.flatMap((row) => problemOf(services, row, which) ?? []);
  if (rows.length > 0 && own.length === rows.length) return own;
  const deployments = deploymentsOf(services, rows);
  const among = deployments.length > 0 ? deployments : listedDeployments(services);
  const items = [...problemItems(among, which)];
  if (items.length === 0) {
    throw new UserError(
      which === 'muted' ? vscode.l10n.t('No problem is muted.') : vscode.l10n.t('No problem to mute.'),
    );
  }
  if (deployments.length > 0 && items.length === 1) return items.map(({ problem }) => problem);
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select problems'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).map(({ problem }) => problem);
}

/** The problem of an account's, a requirement's, a step's or a quick fix's row; of an effect that of its account. */
function problemOf(services: Services, row: Row, which: 'problems' | 'muted'): Problem | undefined {
  const [deployment] = deploymentsOf(services, [row]);
  return deployment?.answer?.findings[which].find(({ key }) => key === row.problemKey);
}

/** An account that several deployments share is offered once. */
function* problemItems(deployments: readonly Deployment[], which: 'problems' | 'muted') {
  const offered = new Set<string>();
  for (const deployment of deployments) {
    for (const problem of deployment.answer?.findings[which] ?? []) {
      if (offered.has(problem.key)) continue;
      offered.add(problem.key);
      const label = inertLabel(problemWord(problem));
      const detail = inertLabel(problemMessage(problem), 400);
      yield { problem, label, description: inertLabel(deployment.name), detail };
    }
  }
}

async function askUntil(title: string, problems: readonly Problem[], listed: readonly Deployment[]) {
  const now = Date.now();
  const choices = [
    { label: vscode.l10n.t('For a Day'), until: now + dayMs },
    { label: vscode.l10n.t('For a Week'), until: now + 7 * dayMs },
    { label: vscode.l10n.t('Until It Changes'), until: now + maxMuteMs },
  ].map((choice) => ({
    ...choice,
    description: vscode.l10n.t('until {time} at the latest', { time: dayText(choice.until, now) }),
  }));
  const [first] = problems;
  const problem =
    first && problems.length === 1
      ? problemWord(first)
      : vscode.l10n.t('{count} problems', { count: numberText(problems.length) });
  const keys = new Set(problems.map(({ key }) => key));
  const { length } = listed.filter(({ answer }) => answer?.findings.all.some(({ key }) => keys.has(key)));
  const values = { problem, count: numberText(length) };
  const placeHolder = plural(
    length,
    vscode.l10n.t('{problem}: mute in {count} deployment', values),
    vscode.l10n.t('{problem}: mute in {count} deployments', values),
  );
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: inertLabel(placeHolder, 200) });
  return chosen?.until;
}
