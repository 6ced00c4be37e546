import * as vscode from 'vscode';
import { mention, showMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { futureDayOrTime, numberText, plural } from '../../host/text/format.js';
import {
  accountLabel,
  findingWithService,
  nameList,
  problemWord,
} from '../../host/text/problem.js';
import { day } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { maxMuteMs, maxTimedMuteMs } from '../../model/problems/savedProblems.js';
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
  if (problems.length === 0) return;
  const where = deploymentsWith(problems, store.deployments);
  const length = await askHowLong(title, problems, where);
  // The organization may have been switched while the questions were open.
  if (length === undefined || store.organizationId !== id) return;
  const notified = chosen.filter(({ problem }) => memory.notifies(problem));
  memory.mute(chosen, length.until, length.isUntilChange);
  showMessage(mutedSentence(problems, where, length), {
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
  const names = nameList(chosen, ({ problem }) => subjectOf(problem));
  mention(vscode.l10n.t('No longer muted: {names}.', { names }));
}

interface Length {
  /** Epoch ms. */
  readonly until: number;
  /** Then `until` is the latest end. */
  readonly isUntilChange: boolean;
}

function deploymentsWith(
  problems: readonly Problem[],
  listed: readonly Deployment[],
): readonly Deployment[] {
  const keys = new Set(problems.map(({ key }) => key));
  return listed.filter(({ answer }) => answer?.findings.problems.some(({ key }) => keys.has(key)));
}

async function askHowLong(
  title: string,
  problems: readonly Problem[],
  where: readonly Deployment[],
): Promise<Length | undefined> {
  const now = Date.now();
  const choices = [
    { label: vscode.l10n.t('For a Day'), until: now + day, isUntilChange: false },
    { label: vscode.l10n.t('For a Week'), until: now + maxTimedMuteMs, isUntilChange: false },
    { label: vscode.l10n.t('Until It Changes'), until: now + maxMuteMs, isUntilChange: true },
  ].map((choice) => ({
    ...choice,
    description: vscode.l10n.t('until {time} at the latest', {
      time: futureDayOrTime(choice.until, now),
    }),
  }));
  const [first] = problems;
  const problem = first && problems.length === 1 ? problemWord(first) : countOf(problems);
  const values = { problem, count: numberText(where.length) };
  const placeHolder = plural(
    where.length,
    vscode.l10n.t('{problem}: will be muted in {count} deployment', values),
    vscode.l10n.t('{problem}: will be muted in {count} deployments', values),
  );
  return vscode.window.showQuickPick(choices, { title, placeHolder: inertLabel(placeHolder, 200) });
}

/**
 * "Finance Slack muted in 6 deployments until it changes.", "notifier (slack) muted in Lead intake
 * until Dec 2, 2026."
 */
export function mutedSentence(
  problems: readonly Problem[],
  where: readonly Deployment[],
  { until, isUntilChange }: Length,
): string {
  const [first] = problems;
  const [deployment] = where;
  const values = {
    problem: first && problems.length === 1 ? subjectOf(first) : countOf(problems),
    deployment: deployment ? shortName(deployment) : '',
    count: numberText(where.length),
    time: futureDayOrTime(until, Date.now()),
  };
  if (where.length === 1) {
    return isUntilChange
      ? vscode.l10n.t('{problem} muted in {deployment} until it changes.', values)
      : vscode.l10n.t('{problem} muted in {deployment} until {time}.', values);
  }
  return isUntilChange
    ? vscode.l10n.t('{problem} muted in {count} deployments until it changes.', values)
    : vscode.l10n.t('{problem} muted in {count} deployments until {time}.', values);
}

function subjectOf(problem: Problem): string {
  return problem.kind === 'failedAccount'
    ? accountLabel(problem.finding.account)
    : findingWithService(problem.finding);
}

function countOf(problems: readonly Problem[]): string {
  return vscode.l10n.t('{count} problems', { count: numberText(problems.length) });
}
