import * as vscode from 'vscode';
import { showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { accountLabel, nameList, requirementLabel } from '../../host/text/problem.js';
import type { Problem } from '../../model/findings/findings.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseProblems } from './pickProblems.js';

/** Turns the notification on for the problems of these rows, or for those that the user picks. */
export async function notifyWhenFixed(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id: organizationId } = await currentOrganization(services);
  const chosen = await chooseProblems(services, rows, {
    title: vscode.l10n.t('Notify When Fixed'),
    noneText: vscode.l10n.t('There is no problem to notify you about.'),
    which: 'notMutedByUser',
    shouldTakeAll: true,
  });
  // The user may have switched the organization while the question was open.
  if (chosen.length === 0 || store.organizationId !== organizationId) return;

  memory.notifyWhenFixed(chosen);
  const names = namesOf(chosen.map(({ problem }) => problem));
  showStatusBarMessage(
    vscode.l10n.t('You will be notified when this is fixed: {names}.', { names }),
  );
}

/** Turns the notification off for the problems of these rows, or for those that the user picks. */
export async function stopNotifying(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id: organizationId } = await currentOrganization(services);
  const chosen = await chooseProblems(services, rows, {
    title: vscode.l10n.t('Stop Notifying'),
    noneText: vscode.l10n.t('You are not notified about any problem.'),
    which: 'all',
    canChoose: ({ problem }) => memory.notifies(problem),
    shouldTakeAll: true,
  });
  if (chosen.length === 0 || store.organizationId !== organizationId) return;

  const problems = chosen.map(({ problem }) => problem);
  memory.stopNotifying(problems);
  const names = namesOf(problems);
  showStatusBarMessage(
    vscode.l10n.t('You will no longer be notified when this is fixed: {names}.', { names }),
  );
}

/** "Finance Slack, notifier"; more than ten names end with "2 more". */
function namesOf(problems: readonly Problem[]): string {
  return nameList(problems, (problem) =>
    problem.kind === 'failedAccount'
      ? accountLabel(problem.finding.account)
      : requirementLabel(problem.finding),
  );
}
