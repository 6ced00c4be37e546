import * as vscode from 'vscode';
import { icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { connectionSummary } from '../../../host/text.js';
import type { ConnectionElement } from '../../../model/tree/elements.js';
import { treeItem } from '../row.js';

export function connectionItem(element: ConnectionElement, expandable: boolean): vscode.TreeItem {
  const { finding } = element;
  const label = finding.connection.connectionMethodId || vscode.l10n.t('unnamed connection method');
  const summary = connectionSummary(finding);
  return treeItem({
    id: element.id,
    label,
    description: summary,
    icon: icon('key'),
    spoken: [label, vscode.l10n.t('connection method'), summary],
    expandable,
    contextValue: contextValues.connection,
  });
}
