import * as vscode from 'vscode';
import { commandIds, internalCommandIds, productName } from '../../host/ids.js';
import { shortName } from '../../model/deploymentNames.js';
import { groupBy, type Identity } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { ProblemDiagnostic } from './diagnostics.js';

/**
 * VS Code hands over copies of some of the `published` diagnostics. `notifies`: whether its fix is
 * waited for.
 */
export function quickFixes(
  diagnostics: readonly vscode.Diagnostic[],
  published: readonly vscode.Diagnostic[],
  notifies: (problem: Identity) => boolean,
): vscode.CodeAction[] {
  const own = new Map(published.map((one) => [one.message, one]));
  const reported = diagnostics.flatMap((diagnostic) => {
    const one = diagnostic.source === productName ? own.get(diagnostic.message) : undefined;
    return one instanceof ProblemDiagnostic ? { diagnostic, ...one.about } : [];
  });
  const byDeployment = groupBy(reported, ({ deployment }) => deployment.id);
  return Array.from(byDeployment, ([id, group]) => {
    const { deployment, problem } = group[0]!;
    const isOne = group.every((other) => other.problem === problem);
    const isNotifying = group.every((one) => notifies(one.problem));
    return fixes(id, problem.key, { isOne, isNotifying }).map((command) => {
      const title =
        byDeployment.size > 1
          ? `${command.title}: ${inertLabel(shortName(deployment))}`
          : command.title;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = group.map(({ diagnostic }) => diagnostic);
      action.command = command;
      return action;
    });
  }).flat();
}

interface Offered {
  /** The diagnostics are all of one problem; else a fix is about the whole deployment. */
  readonly isOne: boolean;
  readonly isNotifying: boolean;
}

/** What is done about a problem. All else stands in the hover above them. */
function fixes(id: string, key: string, { isOne, isNotifying }: Offered): vscode.Command[] {
  const row = { deployment: { id }, problem: { key } };
  const problems = [isOne ? row : id];
  return [
    { title: vscode.l10n.t('Copy Request'), command: commandIds.copyRequest, arguments: problems },
    {
      title: vscode.l10n.t('Reveal in Deployments View'),
      command: internalCommandIds.revealDeployment,
      arguments: [id],
    },
    isNotifying
      ? {
          title: vscode.l10n.t('Stop Notifying'),
          command: commandIds.stopNotifying,
          arguments: problems,
        }
      : {
          title: vscode.l10n.t('Notify When Fixed'),
          command: commandIds.notifyWhenFixed,
          arguments: problems,
        },
    {
      title: vscode.l10n.t('Mute Problem...'),
      command: commandIds.muteProblem,
      arguments: problems,
    },
  ];
}
