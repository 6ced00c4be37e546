import * as vscode from 'vscode';
import { showErrors } from '../host/errors.js';
import { internalCommandIds } from '../host/ids.js';
import { showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { numberText } from '../host/text/format.js';
import { problemMessage } from '../host/text/problem.js';
import type { Deployment } from '../model/deployment.js';
import { shorten } from '../model/inertText.js';
import type { Problem } from '../model/problems/findings.js';

type NewProblemsServices = Pick<Services, 'store' | 'settings' | 'log' | 'watches'>;

/** With the setting on: one notification per refresh that found something new. The store knows what is new. */
export function registerNewProblems({ store, settings, log, watches }: NewProblemsServices): vscode.Disposable {
  const notify = showErrors(log, async (sentence: string, deploymentId: string) => {
    const reveal = {
      title: vscode.l10n.t('Reveal in Sidebar'),
      command: internalCommandIds.revealDeployment,
      arguments: [deploymentId],
    };
    await showWarning(sentence, [reveal]);
  });
  return vscode.Disposable.from(
    store.onDidFindNewProblems(({ problems }) => {
      if (!settings.notifyNewProblems) return;
      // The worst is named: a failed account before what is not satisfied.
      const untold = problems.filter(({ deployment }) => !watches.tells(deployment));
      const first = untold.find(({ problem }) => problem.kind === 'failedAccount') ?? untold[0];
      if (first) void notify(newProblemsSentence(first, untold.length), first.deployment.id);
    }),
  );
}

/** "New problem in Billing sync: Finance Slack (slack) failed: …", "3 new problems. Billing sync: …" */
export function newProblemsSentence(
  { deployment, problem }: { readonly deployment: Deployment; readonly problem: Problem },
  count: number,
): string {
  const values = { deployment: shorten(deployment.name), message: problemMessage(problem) };
  return count === 1
    ? vscode.l10n.t('New problem in {deployment}: {message}', values)
    : vscode.l10n.t('{count} new problems. {deployment}: {message}', { ...values, count: numberText(count) });
}
