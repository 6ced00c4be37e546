import * as vscode from 'vscode';
import { internalCommandIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';
import { showWarning } from '../host/showMessage.js';
import { newProblemsSentence } from '../host/text.js';

export type NewProblemsServices = Pick<Services, 'store' | 'settings' | 'log'>;

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
