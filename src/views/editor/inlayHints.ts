import * as vscode from 'vscode';
import type { Deployment } from '../../model/findings/deployment.js';
import { inertPlain } from '../../model/inertText.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import type { ReferenceInLine } from '../../model/references/textPositions.js';

const maxHintChars = 40;

export function labelHints(
  references: readonly ReferenceInLine[],
  targets: ReferenceTargets,
  namedHere: (deployment: Deployment) => Deployment,
): vscode.InlayHint[] {
  const labels = new Map<string, string | undefined>();
  const seen = new Set<string>();
  return references.flatMap(({ id, line, end }) => {
    if (!labels.has(id)) labels.set(id, labelOf(id, targets, namedHere));
    const label = labels.get(id);
    if (label === undefined) return [];
    const key = `${line} ${id}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const hint = new vscode.InlayHint(
      new vscode.Position(line, end),
      inertPlain(label, maxHintChars),
    );
    hint.paddingLeft = true;
    return [hint];
  });
}

/** `undefined`: there is none that says more than the ID. */
function labelOf(
  id: string,
  targets: ReferenceTargets,
  namedHere: (deployment: Deployment) => Deployment,
): string | undefined {
  const { deployment, account } = targets.of(id);
  const labels = [deployment && namedHere(deployment).label, account?.finding.account.label].map(
    (label) => label?.trim(),
  );
  return labels.find((label) => label !== undefined && label !== '' && label !== id);
}
