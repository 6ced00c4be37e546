import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { configurationSection } from '../../host/ids.js';
import { inertPlain } from '../../model/inertText.js';
import type { Reference } from '../../model/references/reference.js';
import type { ReferenceTargets } from '../../model/references/targets.js';

const maxHintChars = 40;

export function labelHints(
  document: Pick<vscode.TextDocument, 'getText' | 'positionAt' | 'uri'>,
  start: number,
  references: readonly Reference[],
  targets: ReferenceTargets,
): readonly vscode.InlayHint[] {
  const own = references.length > 0 ? ownSettings(document) : [];
  const seen = new Set<string>();
  return references.flatMap((reference) => {
    const offset = start + reference.end;
    const label = labelOf(reference.id, targets);
    if (label === undefined || own.some(([from, to]) => from < offset && offset < to)) return [];
    const position = document.positionAt(offset);
    const key = `${position.line} ${reference.id}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const hint = new vscode.InlayHint(position, inertPlain(label, maxHintChars));
    hint.paddingLeft = true;
    return [hint];
  });
}

/** `undefined`: there is none that says more than the ID. */
function labelOf(id: string, targets: ReferenceTargets): string | undefined {
  const { deployment, account } = targets.of(id);
  const labels = [deployment?.label, account?.finding.account.label].map((label) => label?.trim());
  return labels.find((label) => label !== undefined && label !== '' && label !== id);
}

/** Where our own settings stand in a settings file, which say the labels themselves. */
function ownSettings(document: Pick<vscode.TextDocument, 'getText' | 'uri'>) {
  if (!/(^|\/)settings\.json$|\.code-workspace$/.test(document.uri.path)) return [];
  const entries = (parseTree(document.getText())?.children ?? []).flatMap((entry) =>
    entry.children?.[0]?.value === 'settings' ? (entry.children[1]?.children ?? []) : entry,
  );
  return entries.flatMap(({ offset, length, children }) => {
    const key: unknown = children?.[0]?.value;
    return typeof key === 'string' && key.startsWith(`${configurationSection}.`)
      ? [[offset, offset + length] as const]
      : [];
  });
}
