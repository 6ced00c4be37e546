import * as vscode from 'vscode';
import { commandIds, internalCommandIds, productName } from '../../host/ids.js';
import type { Deployment, DeploymentProblem } from '../../model/deployment.js';
import { inertLabel, shorten } from '../../model/inertText.js';
import type { Reference } from '../../model/references/referenceIndex.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import { isAbout } from './diagnostics.js';

/** What can be done about a reference. Each command takes a deployment's id, or a row of it. */
interface Fix {
  readonly title: string;
  readonly command: string;
  /** Codicon, where the hover offers it too: that is low, and has no room for all. */
  readonly icon?: string;
}

/** In the order in which they are offered, as quick fixes and as links of the hover. */
export function fixes(hasDashboard: boolean): readonly Fix[] {
  const title = vscode.l10n.t('Open in Dashboard');
  return [
    { title: vscode.l10n.t('Check Again'), command: commandIds.refreshDeployment, icon: 'refresh' },
    { title: vscode.l10n.t('Reveal in Sidebar'), command: internalCommandIds.revealDeployment, icon: 'list-tree' },
    { title: vscode.l10n.t('Watch Until It Changes'), command: commandIds.watchDeployment },
    { title: vscode.l10n.t('Mute Problem…'), command: commandIds.muteProblem },
    ...(hasDashboard ? [{ title, command: commandIds.openInDashboard, icon: 'link-external' }] : []),
    { title: vscode.l10n.t('Copy Authorization Report'), command: commandIds.copyReport, icon: 'copy' },
  ];
}

/** As much of a document as is needed here. */
interface LineText {
  lineAt(line: number): { readonly text: string };
}

/** For those of the diagnostics that are ours. None changes the text: what is wrong is mended at the service. */
export function quickFixes(
  document: LineText,
  diagnostics: readonly vscode.Diagnostic[],
  targets: ReferenceTargets,
  hasDashboard: boolean,
): vscode.CodeAction[] {
  const reported = new Map<Deployment, { readonly own: vscode.Diagnostic[]; readonly id: string }>();
  // Many diagnostics can stand in one long line.
  const lines = new Map<number, readonly Reference[]>();
  for (const diagnostic of diagnostics) {
    if (diagnostic.source !== productName) continue;
    const { start, end } = diagnostic.range;
    const references = lines.get(start.line) ?? targets.index.scan(document.lineAt(start.line).text);
    lines.set(start.line, references);
    for (const reference of references) {
      if (reference.start !== start.character || reference.end !== end.character) continue;
      const { deployment, account } = targets.of(reference.id);
      const owner = deployment ?? account?.deployment;
      if (!owner) continue;
      const { own, id } = reported.get(owner) ?? { own: [], id: reference.id };
      reported.set(owner, { own, id });
      own.push(diagnostic);
    }
  }
  return [...reported].flatMap(([deployment, { own, id }]) => {
    const problem = onlyProblem(targets.problemsOf(id), own);
    return fixes(hasDashboard).map(({ title, command }) => {
      // With several at one place, each says whose it is.
      const name = reported.size > 1 ? `${title}: ${inertLabel(shorten(deployment.name))}` : title;
      const action = new vscode.CodeAction(name, vscode.CodeActionKind.QuickFix);
      action.diagnostics = own;
      const isKnown = command === commandIds.muteProblem && problem;
      const argument = isKnown ? { deployment: { id: deployment.id }, problem: { key: problem.key } } : deployment.id;
      action.command = { title, command, arguments: [argument] };
      return action;
    });
  });
}

/** The one that all of the diagnostics are about. Sentences are compared once for all of them, since there can be thousands of problems. */
function onlyProblem(problems: readonly DeploymentProblem[], diagnostics: readonly vscode.Diagnostic[]) {
  const [diagnostic] = diagnostics;
  if (!diagnostic || diagnostics.some(({ message }) => message !== diagnostic.message)) return undefined;
  const [only, another] = problems.filter(({ problem }) => isAbout(diagnostic, problem));
  return another ? undefined : only?.problem;
}
