import * as vscode from 'vscode';
import { icon } from '../../host/icons.js';
import { absoluteTime, dateText } from '../../host/text.js';
import type { LastCheckElement } from '../../model/tree/elements.js';
import { treeItem } from '../tree/row.js';

/** When the service last checked the account. */
export function lastCheckItem(element: LastCheckElement, now: number): vscode.TreeItem {
  const checkedAt = element.finding.account.checkedAt ?? '';
  const label = vscode.l10n.t('Last check');
  return treeItem({
    id: element.id,
    label,
    description: dateText(checkedAt, now),
    icon: icon('history'),
    spoken: [label, absoluteTime(checkedAt)],
  });
}
