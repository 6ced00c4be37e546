import * as vscode from 'vscode';
import { commandIds, internalCommandIds, productName } from '../../host/ids.js';
import type { Deployment } from '../../model/deployment.js';
import { inertLabel, shorten } from '../../model/inertText.js';
import type { ReferenceTarget } from '../../model/references/known.js';

/** What can be done about a reference. Each command takes a deployment's id. */
interface Fix {
  /** Codicon. */
  readonly icon: string;
  readonly title: string;
  readonly command: string;
  /** Left out of the hover, which is low. */
  readonly inHover?: false;
}

/** In the order in which they are offered, as quick fixes and as links of the hover. */
export function fixes(hasDashboard: boolean): readonly Fix[] {
  const title = vscode.l10n.t('Open in Dashboard');
  return [
    { icon: 'refresh', title: vscode.l10n.t('Check Again'), command: commandIds.refreshDeployment },
    { icon: 'list-tree', title: vscode.l10n.t('Reveal in Sidebar'), command: internalCommandIds.revealDeployment },
    {
      icon: 'eye',
      title: vscode.l10n.t('Watch Until It Changes'),
      command: commandIds.watchDeployment,
      inHover: false,
    },
    { icon: 'bell-slash', title: vscode.l10n.t('Mute Problem…'), command: commandIds.muteProblem, inHover: false },
    ...(hasDashboard ? [{ icon: 'link-external', title, command: commandIds.openInDashboard }] : []),
    { icon: 'copy', title: vscode.l10n.t('Copy Authorization Report'), command: commandIds.copyReport },
  ];
}

/** For those of the diagnostics that are ours. None changes the text: what is wrong is mended at the service. */
export function quickFixes(
  diagnostics: readonly vscode.Diagnostic[],
  /** What the ids that stand exactly there mean. */
  targetsAt: (range: vscode.Range) => readonly ReferenceTarget[],
  hasDashboard: boolean,
): vscode.CodeAction[] {
  const reported = new Map<Deployment, vscode.Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.source !== productName) continue;
    for (const { deployment, account } of targetsAt(diagnostic.range)) {
      const owner = deployment ?? account?.deployment;
      if (owner) reported.set(owner, [...(reported.get(owner) ?? []), diagnostic]);
    }
  }
  return [...reported].flatMap(([deployment, own]) =>
    fixes(hasDashboard).map(({ title, command }) => {
      // With several at one place, each says whose it is.
      const name = reported.size > 1 ? `${title}: ${inertLabel(shorten(deployment.name))}` : title;
      const action = new vscode.CodeAction(name, vscode.CodeActionKind.QuickFix);
      action.diagnostics = own;
      action.command = { title, command, arguments: [deployment.id] };
      return action;
    }),
  );
}
