import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../host/ids.js';
import { showWarning } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { numberText } from '../host/text/format.js';
import { problemMessage } from '../host/text/problem.js';
import { shortName } from '../model/deploymentNames.js';
import type { DeploymentProblem } from '../model/findings/deployment.js';

export function registerNewProblems({ memory, settings }: Services) {
  return memory.onDidFindNewProblems((problems) => {
    if (!settings.notifyNewProblems) return;
    // The worst is named: a failed account before what is not satisfied.
    const first = problems.find(({ problem }) => problem.kind === 'failedAccount') ?? problems[0];
    if (!first) return;
    const title = vscode.l10n.t('Reveal in Deployments View');
    const reveal = { title, command: internalCommandIds.revealDeployment, arguments: [first.deployment.id] };
    const rows = problems.map((one) => ({ deployment: { id: one.deployment.id }, problem: { key: one.problem.key } }));
    const request = {
      title: vscode.l10n.t('Copy Request'),
      command: commandIds.copyRequest,
      arguments: [rows[0], rows],
    };
    showWarning(newProblemsSentence(first, problems.length), [reveal, request]);
  });
}

export function newProblemsSentence({ deployment, problem }: DeploymentProblem, count: number): string {
  const values = { deployment: shortName(deployment), message: problemMessage(problem) };
  return count === 1
    ? vscode.l10n.t('New problem in {deployment}: {message}', values)
    : vscode.l10n.t('{count} new problems. {deployment}: {message}', { ...values, count: numberText(count) });
}
