import * as vscode from 'vscode';
import { inertPlain } from '../../model/inertText.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import type { ReferenceInLine } from '../../model/references/textPositions.js';
import type { WithFolderName } from './diagnostics.js';

const maxHintChars = 40;

/** Returns a hint with the label after the first mention of each ID in a line. */
export function labelHints(
  references: readonly ReferenceInLine[],
  targets: ReferenceTargets,
  withFolderName: WithFolderName,
): vscode.InlayHint[] {
  const labels = new Map<string, string | undefined>();
  // "12 acc_1": the line and the ID of each hint.
  const hinted = new Set<string>();
  const hints: vscode.InlayHint[] = [];
  for (const { id, line, end } of references) {
    if (!labels.has(id)) labels.set(id, labelOf(id, targets, withFolderName));
    const label = labels.get(id);
    const key = `${line} ${id}`;
    if (label === undefined || hinted.has(key)) continue;
    hinted.add(key);

    const position = new vscode.Position(line, end);
    const hint = new vscode.InlayHint(position, inertPlain(label, maxHintChars));
    hint.paddingLeft = true;
    hints.push(hint);
  }
  return hints;
}

/**
 * Returns the deployment's label, else the account's; `undefined` if neither says more than the ID.
 */
function labelOf(
  id: string,
  targets: ReferenceTargets,
  withFolderName: WithFolderName,
): string | undefined {
  const { deployment, account } = targets.targetOf(id);
  const deploymentLabel = deployment && withFolderName(deployment).label;
  const labels = [deploymentLabel?.trim(), account?.finding.account.label?.trim()];
  return labels.find((label) => label !== undefined && label !== '' && label !== id);
}
