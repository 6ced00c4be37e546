import { parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { configurationSection } from '../../host/ids.js';
import type { Deployment } from '../../model/findings/deployment.js';
import { inertPlain } from '../../model/inertText.js';
import type { ReferenceTargets } from '../../model/references/targets.js';
import { positionsOf, type ReferenceInLine } from '../../model/references/textPositions.js';

const maxHintChars = 40;
const maxSettingsChars = 2 * 1024 * 1024;

export function labelHints(
  document: Pick<vscode.TextDocument, 'getText' | 'uri'>,
  references: readonly ReferenceInLine[],
  targets: ReferenceTargets,
  namedHere: (deployment: Deployment) => Deployment,
): readonly vscode.InlayHint[] {
  const own = references.length > 0 ? ownSettings(document) : [];
  const labels = new Map<string, string | undefined>();
  const seen = new Set<string>();
  let passed = 0;
  return references.flatMap(({ id, line, end }) => {
    const position = new vscode.Position(line, end);
    // Both are in the order of the document.
    while (own[passed]?.end.isBeforeOrEqual(position) === true) passed++;
    const isOwn = own[passed]?.start.isBefore(position) === true;
    if (!labels.has(id)) labels.set(id, labelOf(id, targets, namedHere));
    const label = labels.get(id);
    if (label === undefined || isOwn) return [];
    const key = `${line} ${id}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const hint = new vscode.InlayHint(position, inertPlain(label, maxHintChars));
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
  const labels = [deployment && namedHere(deployment).label, account?.finding.account.label].map((label) =>
    label?.trim(),
  );
  return labels.find((label) => label !== undefined && label !== '' && label !== id);
}

/**
 * Where our own settings stand in a settings file, which say the labels themselves; all of a file
 * that is too large to be read.
 */
function ownSettings(document: Pick<vscode.TextDocument, 'getText' | 'uri'>): readonly vscode.Range[] {
  if (!/(^|\/)settings\.json$|\.code-workspace$/.test(document.uri.path)) return [];
  const text = document.getText();
  if (text.length > maxSettingsChars) return [new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0)];
  const entries = (parseTree(text)?.children ?? []).flatMap((entry) =>
    entry.children?.[0]?.value === 'settings' ? (entry.children[1]?.children ?? []) : entry,
  );
  const own = entries.filter(({ children }) => {
    const key: unknown = children?.[0]?.value;
    return typeof key === 'string' && key.startsWith(`${configurationSection}.`);
  });
  const starts = positionsOf(
    own.map(({ offset }) => offset),
    text,
  );
  const ends = positionsOf(
    own.map(({ offset, length }) => offset + length),
    text,
  );
  return starts.map(({ line, character }, at) => {
    const end = ends[at]!;
    return new vscode.Range(line, character, end.line, end.character);
  });
}
