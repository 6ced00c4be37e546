import * as vscode from 'vscode';
import { internalCommandIds } from '../../host/ids.js';
import type { ReferenceTargets } from '../../model/references/targets.js';

const maxTerminalLineChars = 2000;

interface DeploymentLink extends vscode.TerminalLink {
  readonly deploymentId: string;
}

/** Of the IDs of listed deployments in a terminal's output; each reveals its deployment. */
export function terminalLinks(targets: ReferenceTargets): vscode.Disposable {
  const provider: vscode.TerminalLinkProvider<DeploymentLink> = {
    provideTerminalLinks: ({ line }) => deploymentLinks(line, targets),
    handleTerminalLink: ({ deploymentId }) => {
      void vscode.commands.executeCommand(internalCommandIds.revealDeployment, deploymentId);
    },
  };
  return vscode.window.registerTerminalLinkProvider(provider);
}

export function deploymentLinks(line: string, targets: ReferenceTargets): DeploymentLink[] {
  if (line.length > maxTerminalLineChars) return [];
  const tooltip = vscode.l10n.t('Reveal in Deployments View');
  return targets.index.scan(line).flatMap(({ id, start, end }) => {
    const link = { startIndex: start, length: end - start, tooltip, deploymentId: id };
    return targets.of(id).deployment ? link : [];
  });
}
