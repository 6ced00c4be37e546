import * as vscode from 'vscode';
import { stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { heading, parts, sentences } from '../../../host/text/format.js';
import { requirementLabel, requirementNotes } from '../../../host/text/problem.js';
import { requirementStateWord } from '../../../host/text/states.js';
import type { RequirementFinding } from '../../../model/findings.js';
import { shorten } from '../../../model/inertText.js';
import type { RequirementElement } from '../../../model/tree/elements.js';
import { fields, list, markdown, text, title } from '../../markdown.js';
import { type Looks, type RowContext, treeItem } from '../row.js';
import { adviceInFull } from './advice.js';

/** What a deployment requires. */
export const requirementRows = {
  requirement: { item: requirementItem, hover: requirementHover },
} satisfies Looks<'requirement'>;

function requirementItem(element: RequirementElement, { hasChildren }: RowContext): vscode.TreeItem {
  const { id, finding } = element;
  const label = finding.name || vscode.l10n.t('unnamed requirement');
  const summary = requirementSummary(finding);
  return treeItem({
    id,
    label,
    description: summary,
    icon: stateIcon(finding.state),
    spoken: [label, vscode.l10n.t('requirement'), summary],
    expandable: hasChildren(element),
    contextValue: contextValues.requirement,
    problem: finding.state === 'notSatisfied' ? finding.state : undefined,
  });
}

/** "slack · not satisfied · channels:read missing" */
function requirementSummary(finding: RequirementFinding): string {
  const service = finding.requirement.serviceId;
  return parts(
    service && service !== finding.name ? shorten(service) : undefined,
    requirementStateWord(finding),
    missingText(finding.missingScopes),
    finding.boundAbsent
      ? vscode.l10n.t('bound account {account} absent', { account: shorten(finding.requirement.accountId ?? '') })
      : undefined,
  );
}

function missingText(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return undefined;
  return scopes.length === 1
    ? vscode.l10n.t('{scope} missing', { scope: shorten(scopes[0] ?? '') })
    : vscode.l10n.t('{count} scopes missing', { count: scopes.length });
}

function requirementHover({ finding }: RequirementElement): vscode.MarkdownString {
  const state = vscode.l10n.t('{state}.', { state: heading(requirementStateWord(finding)) });
  return markdown(
    title(requirementLabel(finding), vscode.l10n.t('requirement')),
    text(sentences(state, ...requirementNotes(finding))),
    finding.problem && adviceInFull(finding.problem),
    list(fields(finding.requirement, ['connections'])),
  );
}
