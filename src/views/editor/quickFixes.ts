import * as vscode from 'vscode';
import { commandIds, internalCommandIds, productName } from '../../host/ids.js';
import { shortName } from '../../model/deploymentNames.js';
import type { DeploymentProblem } from '../../model/findings/deployment.js';
import { groupBy, type Identity } from '../../model/findings/findings.js';
import { inertLabel } from '../../model/inertText.js';
import { ProblemDiagnostic } from './diagnostics.js';

/** A problem, and the diagnostic of it as VS Code gave it back, which may be a copy. */
interface DiagnosedProblem extends DeploymentProblem {
  readonly diagnostic: vscode.Diagnostic;
}

/**
 * Returns the fixes for those of the diagnostics that are `published` ones or copies of them.
 * `diagnostics`: as VS Code gives them, with those of other extensions. `notifies`: whether the
 * user is notified when the problem is fixed.
 */
export function quickFixes(
  diagnostics: readonly vscode.Diagnostic[],
  published: readonly vscode.Diagnostic[],
  notifies: (problem: Identity) => boolean,
): vscode.CodeAction[] {
  const problems = diagnosedProblems(diagnostics, published);
  const byDeployment = groupBy(problems, ({ deployment }) => deployment.id);
  const namesDeployment = byDeployment.size > 1;

  const actions: vscode.CodeAction[] = [];
  for (const [deploymentId, group] of byDeployment) {
    const { deployment, problem } = group[0]!;
    const isOneProblem = group.every((other) => other.problem === problem);
    const isNotifying = group.every((other) => notifies(other.problem));
    const row = { deployment: { id: deploymentId }, problem: { key: problem.key } };
    const target = isOneProblem ? row : deploymentId;
    for (const command of fixCommands(deploymentId, target, isNotifying)) {
      const title = namesDeployment
        ? `${command.title}: ${inertLabel(shortName(deployment))}`
        : command.title;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = group.map(({ diagnostic }) => diagnostic);
      action.command = command;
      actions.push(action);
    }
  }
  return actions;
}

/**
 * VS Code may give a copy, which is no `ProblemDiagnostic`: its message, which no two problems
 * share, leads to the original.
 */
function diagnosedProblems(
  diagnostics: readonly vscode.Diagnostic[],
  published: readonly vscode.Diagnostic[],
): readonly DiagnosedProblem[] {
  const byMessage = new Map(published.map((original) => [original.message, original]));
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== productName) return [];
    const original = byMessage.get(diagnostic.message);
    return original instanceof ProblemDiagnostic ? { diagnostic, ...original.reported } : [];
  });
}

/**
 * The commands against a problem; the hover above them has all others. `target`: the row of the
 * problem, or the deployment's ID if the command is about several of its problems.
 */
function fixCommands(
  deploymentId: string,
  target: object | string,
  isNotifying: boolean,
): readonly vscode.Command[] {
  const copyRequest = {
    title: vscode.l10n.t('Copy Request'),
    command: commandIds.copyRequest,
    arguments: [target],
  };
  const reveal = {
    title: vscode.l10n.t('Reveal in Deployments View'),
    command: internalCommandIds.revealDeployment,
    arguments: [deploymentId],
  };
  const stopNotifying = {
    title: vscode.l10n.t('Stop Notifying'),
    command: commandIds.stopNotifying,
    arguments: [target],
  };
  const notifyWhenFixed = {
    title: vscode.l10n.t('Notify When Fixed'),
    command: commandIds.notifyWhenFixed,
    arguments: [target],
  };
  const mute = {
    title: vscode.l10n.t('Mute Problem...'),
    command: commandIds.muteProblem,
    arguments: [target],
  };
  return [copyRequest, reveal, isNotifying ? stopNotifying : notifyWhenFixed, mute];
}
