import * as vscode from 'vscode';
import { stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { requirementSummary } from '../../../host/text.js';
import type { RequirementElement } from '../../../model/tree/elements.js';
import { treeItem } from '../row.js';

export function requirementItem(element: RequirementElement, expandable: boolean): vscode.TreeItem {
  const { finding } = element;
  const label = finding.name || vscode.l10n.t('unnamed requirement');
  const summary = requirementSummary(finding);
  return treeItem({
    id: element.id,
    label,
    description: summary,
    icon: stateIcon(finding.state),
    spoken: [label, vscode.l10n.t('requirement'), summary],
    expandable,
    contextValue: contextValues.requirement,
    ...(finding.state === 'notSatisfied' ? { problem: finding.state } : {}),
  });
}
