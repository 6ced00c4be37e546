import * as vscode from 'vscode';
import type { ReferenceTargets } from '../../model/references/targets.js';
import { urlsIn } from '../../model/references/terminalUrls.js';

/** VS Code asks for the links of each line that a terminal shows. Longer lines get none. */
const maxTerminalLineChars = 2000;

export interface TerminalLink extends vscode.TerminalLink {
  readonly deploymentId: string;
}

/**
 * Returns a link for each deployment's ID in the line, except inside a URL, which VS Code links.
 */
export function terminalLinks(line: string, targets: ReferenceTargets): TerminalLink[] {
  if (line.length > maxTerminalLineChars) return [];
  const tooltip = vscode.l10n.t('Reveal in Deployments View');
  const urls = urlsIn(line);
  const links: TerminalLink[] = [];
  for (const { id, start, end } of targets.index.scan(line, 'plaintext')) {
    const { deployment } = targets.targetOf(id);
    const isInUrl = urls.some((url) => start < url.end && url.start < end);
    if (deployment === undefined || isInUrl) continue;
    links.push({ startIndex: start, length: end - start, tooltip, deploymentId: id });
  }
  return links;
}
