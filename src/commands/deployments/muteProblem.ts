import * as vscode from 'vscode';
import { UserError } from '../../host/actions.js';
import { mention, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { absoluteTime, dayText, numberText, plural } from '../../host/text/format.js';
import { problemMessage, problemWord } from '../../host/text/problem.js';
import { day } from '../../model/base/time.js';
import type { Deployment, DeploymentProblem } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { maxMuteMs } from '../../model/problems/savedProblems.js';
import { problemsOf, type Row, rowsOf } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { listedDeployments } from './pickDeployment.js';

export async function muteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id } = await currentOrganization(services);
  const title = vscode.l10n.t('Mute Problem');
  const chosen = await choose(services, rows, title, 'counted');
  const problems = chosen.map(({ problem }) => problem);
  const until = problems.length > 0 ? await askUntil(title, problems, store.deployments) : undefined;
  // The organization may have been switched while the questions were open.
  if (until === undefined || store.organizationId !== id) return;
  memory.mute(chosen, until);
  showMessage(vscode.l10n.t('Muted until {time}.', { time: absoluteTime(until) }), {
    title: vscode.l10n.t('Undo'),
    run: async () => store.organizationId === id && memory.unmute(problems),
  });
}

export async function unmuteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { id } = await currentOrganization(services);
  const chosen = await choose(services, rows, vscode.l10n.t('Unmute Problem'), 'muted');
  if (chosen.length === 0 || services.store.organizationId !== id) return;
  services.memory.unmute(chosen.map(({ problem }) => problem));
  mention(vscode.l10n.t('No longer muted.'));
}

async function choose(
  services: Services,
  rows: readonly Row[],
  title: string,
  which: 'counted' | 'muted',
): Promise<readonly DeploymentProblem[]> {
  const found = problemsOf(services, rows.length > 0 ? rows : rowsOf(listedDeployments(services)), which);
  if (found.length === 0) {
    throw new UserError(
      which === 'muted' ? vscode.l10n.t('No problem is muted.') : vscode.l10n.t('No problem to mute.'),
    );
  }
  const isAsked = rows.some(({ problemKey }) => problemKey === undefined) && found.length > 1;
  if (rows.length > 0 && !isAsked) return found;
  const items = found.map((one) => ({
    one,
    label: inertLabel(problemWord(one.problem)),
    description: inertLabel(one.deployment.name),
    detail: inertLabel(problemMessage(one.problem), 400),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: vscode.l10n.t('Select problems'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return (picked ?? []).map(({ one }) => one);
}

async function askUntil(title: string, problems: readonly Problem[], listed: readonly Deployment[]) {
  const now = Date.now();
  const choices = [
    { label: vscode.l10n.t('For a Day'), until: now + day },
    { label: vscode.l10n.t('For a Week'), until: now + 7 * day },
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
  const { length } = listed.filter(({ answer }) => answer?.findings.problems.some(({ key }) => keys.has(key)));
  const values = { problem, count: numberText(length) };
  const placeHolder = plural(
    length,
    vscode.l10n.t('{problem}: mute in {count} deployment', values),
    vscode.l10n.t('{problem}: mute in {count} deployments', values),
  );
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: inertLabel(placeHolder, 200) });
  return chosen?.until;
}
