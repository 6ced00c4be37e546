import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../../host/ids.js';
import type { Deployment, DeploymentProblem } from '../../model/deployment.js';
import { inertLabel, shorten } from '../../model/inertText.js';
import { ProblemDiagnostic } from './diagnostics.js';

interface Group {
  readonly about: [DeploymentProblem, ...DeploymentProblem[]];
  readonly diagnostics: vscode.Diagnostic[];
}

/**
 * What helps against the diagnostics that VS Code hands over, which are copies of some of the `published` ones. None changes the text:
 * what is wrong is mended at the service.
 */
export function quickFixes(
  diagnostics: readonly vscode.Diagnostic[],
  published: readonly vscode.Diagnostic[],
  hasDashboard: boolean,
): vscode.CodeAction[] {
  const own = published.filter((one) => one instanceof ProblemDiagnostic);
  const byMessage = new Map(own.map((one) => [one.message, one.about]));
  const reported = new Map<string, Group>();
  for (const diagnostic of diagnostics) {
    const about = diagnostic.source === own[0]?.source ? byMessage.get(diagnostic.message) : undefined;
    if (!about) continue;
    const group = reported.get(about.deployment.id);
    group?.about.push(about);
    group?.diagnostics.push(diagnostic);
    if (!group) reported.set(about.deployment.id, { about: [about], diagnostics: [diagnostic] });
  }
  return Array.from(reported.values()).flatMap((group) => {
    const [{ deployment, problem }] = group.about;
    const isOne = group.about.every((other) => other.problem === problem);
    return fixes(deployment, problem, isOne, hasDashboard).map((command) => {
      // With several deployments at one range, each says which.
      const title = reported.size > 1 ? `${command.title}: ${inertLabel(shorten(deployment.name))}` : command.title;
      const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
      action.diagnostics = group.diagnostics;
      action.command = command;
      return action;
    });
  });
}

/** What helps first, in the words of the rows. */
function fixes({ id }: Deployment, { key }: { key: string }, isOne: boolean, hasDashboard: boolean): vscode.Command[] {
  const row = { deployment: { id }, problem: { key } };
  return [
    { title: vscode.l10n.t('Copy Request'), command: commandIds.copyRequest, arguments: [row] },
    { title: vscode.l10n.t('Refresh Deployment'), command: commandIds.refreshDeployment, arguments: [id] },
    {
      title: vscode.l10n.t('Reveal in Deployments View'),
      command: internalCommandIds.revealDeployment,
      arguments: [id],
    },
    { title: vscode.l10n.t('Watch Until It Changes'), command: commandIds.watchDeployment, arguments: [id] },
    { title: vscode.l10n.t('Mute Problem...'), command: commandIds.muteProblem, arguments: [isOne ? row : id] },
    ...(hasDashboard
      ? [{ title: vscode.l10n.t('Open in Dashboard'), command: commandIds.openInDashboard, arguments: [id] }]
      : []),
    { title: vscode.l10n.t('Copy Authorization Report'), command: commandIds.copyReport, arguments: [id] },
  ];
}
