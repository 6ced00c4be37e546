import * as vscode from 'vscode';
import { mention } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { accountLabel, nameList, requirementLabel } from '../../host/text/problem.js';
import type { Problem } from '../../model/findings/findings.js';
import type { Row } from '../arguments.js';
import { currentOrganization } from '../organizations.js';
import { chooseProblems } from './pickProblems.js';

export async function notifyWhenFixed(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id } = await currentOrganization(services);
  const chosen = await chooseProblems(services, rows, {
    title: vscode.l10n.t('Notify When Fixed'),
    none: vscode.l10n.t('There is no problem to notify you about.'),
    which: 'counted',
    takesAll: true,
  });
  // The organization may have been switched while the question was open.
  if (chosen.length === 0 || store.organizationId !== id) return;
  memory.notifyWhenFixed(chosen);
  const names = namesOf(chosen.map(({ problem }) => problem));
  mention(vscode.l10n.t('You will be notified when this is fixed: {names}.', { names }));
}

export async function stopNotifying(services: Services, rows: readonly Row[]): Promise<void> {
  const { memory, store } = services;
  const { id } = await currentOrganization(services);
  const chosen = await chooseProblems(services, rows, {
    title: vscode.l10n.t('Stop Notifying'),
    none: vscode.l10n.t('You are not notified about any problem.'),
    which: 'all',
    canChoose: ({ problem }) => memory.notifies(problem),
    takesAll: true,
  });
  if (chosen.length === 0 || store.organizationId !== id) return;
  memory.stopNotifying(chosen.map(({ problem }) => problem));
  const names = namesOf(chosen.map(({ problem }) => problem));
  mention(vscode.l10n.t('You will no longer be notified when this is fixed: {names}.', { names }));
}

/** "Finance Slack, notifier, and 2 more" */
function namesOf(problems: readonly Problem[]): string {
  return nameList(problems, (problem) =>
    problem.kind === 'failedAccount'
      ? accountLabel(problem.finding.account)
      : requirementLabel(problem.finding),
  );
}
