import * as vscode from 'vscode';
import { mention, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { absoluteTime, dayText, numberText, plural } from '../../host/text/format.js';
import { problemWord } from '../../host/text/problem.js';
import { day } from '../../model/base/time.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { maxMuteMs } from '../../model/problems/savedProblems.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseProblems } from './pickProblems.js';

export async function muteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id } = await currentOrganization(services);
  const title = vscode.l10n.t('Mute Problem');
  const none = vscode.l10n.t('There is no problem to mute.');
  const chosen = await chooseProblems(services, rows, { title, none, which: 'counted' });
  const problems = chosen.map(({ problem }) => problem);
  const until = problems.length > 0 ? await askUntil(title, problems, store.deployments) : undefined;
  // The organization may have been switched while the questions were open.
  if (until === undefined || store.organizationId !== id) return;
  const notified = chosen.filter(({ problem }) => memory.notifies(problem));
  memory.mute(chosen, until);
  showMessage(vscode.l10n.t('Muted until {time}.', { time: absoluteTime(until) }), {
    title: vscode.l10n.t('Undo'),
    run: async () => {
      if (store.organizationId !== id) return;
      memory.unmute(problems);
      memory.notifyWhenFixed(notified);
    },
  });
}

export async function unmuteProblem(services: Services, rows: readonly Row[]): Promise<void> {
  const { id } = await currentOrganization(services);
  const title = vscode.l10n.t('Unmute Problem');
  const none = vscode.l10n.t('No problem is muted.');
  const chosen = await chooseProblems(services, rows, { title, none, which: 'muted' });
  if (chosen.length === 0 || services.store.organizationId !== id) return;
  services.memory.unmute(chosen.map(({ problem }) => problem));
  mention(vscode.l10n.t('No longer muted.'));
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
    vscode.l10n.t('{problem}: will be muted in {count} deployment', values),
    vscode.l10n.t('{problem}: will be muted in {count} deployments', values),
  );
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: inertLabel(placeHolder, 200) });
  return chosen?.until;
}
