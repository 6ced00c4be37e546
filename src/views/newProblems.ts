import * as vscode from 'vscode';
import { showErrors } from '../host/errors.js';
import { internalCommandIds } from '../host/ids.js';
import { showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { numberText, plural, sentences } from '../host/text/format.js';
import { problemMessage } from '../host/text/problem.js';
import type { Deployment } from '../model/deployment.js';
import type { Problem } from '../model/findings.js';
import { shorten } from '../model/inertText.js';

type NewProblemsServices = Pick<Services, 'store' | 'settings' | 'log'>;

/** With the setting on: one notification per refresh that found something new. The store knows what is new. */
export function registerNewProblems({ store, settings, log }: NewProblemsServices): vscode.Disposable {
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
      const first = problems.find(({ problem }) => problem.kind === 'failedAccount') ?? problems[0];
      if (first) void notify(newProblemsSentence(first, problems.length - 1), first.deployment.id);
    }),
  );
}

/** "New problem in Billing sync: Finance Slack (slack) failed: … And 2 more new problems." */
export function newProblemsSentence(
  first: { readonly deployment: Deployment; readonly problem: Problem },
  others: number,
): string {
  const message = problemMessage(first.problem);
  const values = { count: numberText(others) };
  return sentences(
    vscode.l10n.t('New problem in {deployment}: {message}', { deployment: shorten(first.deployment.name), message }),
    others === 0
      ? undefined
      : plural(
          others,
          vscode.l10n.t('And {count} more new problem.', values),
          vscode.l10n.t('And {count} more new problems.', values),
        ),
  );
}
