import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { configurationSection } from '../../host/ids.js';
import { inertPlain } from '../../model/inertText.js';
import type { Reference } from '../../model/references/reference.js';
import type { ReferenceTargets } from '../../model/references/targets.js';

const maxHintChars = 40;
const maxSettingsChars = 2 * 1024 * 1024;

export function labelHints(
  document: Pick<vscode.TextDocument, 'getText' | 'positionAt' | 'uri'>,
  start: number,
  references: readonly Reference[],
  targets: ReferenceTargets,
): readonly vscode.InlayHint[] {
  const own = references.length > 0 ? ownSettings(document) : [];
  const labels = new Map<string, string | undefined>();
  const seen = new Set<string>();
  let passed = 0;
  return references.flatMap((reference) => {
    const { id } = reference;
    const offset = start + reference.end;
    // Both are in the order of the document.
    while (passed < own.length && own[passed]!.end <= offset) passed++;
    const isOwn = passed < own.length && own[passed]!.start < offset;
    if (!labels.has(id)) labels.set(id, labelOf(id, targets));
    const label = labels.get(id);
    if (label === undefined || isOwn) return [];
    const position = document.positionAt(offset);
    const key = `${position.line} ${id}`;
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

/**
 * Where our own settings stand in a settings file, which say the labels themselves; all of a file
 * that is too large to be read.
 */
function ownSettings(document: Pick<vscode.TextDocument, 'getText' | 'uri'>) {
  if (!/(^|\/)settings\.json$|\.code-workspace$/.test(document.uri.path)) return [];
  const text = document.getText();
  if (text.length > maxSettingsChars) return [{ start: 0, end: Infinity }];
  const entries = (parseTree(text)?.children ?? []).flatMap((entry) =>
    entry.children?.[0]?.value === 'settings' ? (entry.children[1]?.children ?? []) : entry,
  );
  return entries.flatMap(({ offset, length, children }) => {
    const key: unknown = children?.[0]?.value;
    const isOwn = typeof key === 'string' && key.startsWith(`${configurationSection}.`);
    return isOwn ? [{ start: offset, end: offset + length }] : [];
  });
}
