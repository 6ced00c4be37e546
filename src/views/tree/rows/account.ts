import * as vscode from 'vscode';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { accountName, accountSummary, stateWord } from '../../../host/text.js';
import type { AccountElement } from '../../../model/tree/elements.js';
import { treeItem } from '../row.js';

export function accountItem(element: AccountElement, expandable: boolean, now: number): vscode.TreeItem {
  const { finding, role } = element;
  const label = finding ? accountName(finding.account) : (element.accountId ?? vscode.l10n.t('unnamed account'));
  const summary = accountSummary(finding, role, now);
  const failed = finding?.state === 'failed';
  return treeItem({
    id: element.id,
    label,
    description: summary,
    icon: accountIcon(element),
    // The code alone ("token_revoked") is no state to somebody who does not see the icon.
    spoken: [label, vscode.l10n.t('account'), failed ? stateWord('failed') : undefined, summary],
    expandable,
    contextValue: contextValues.account,
    ...(failed ? { problem: 'failed' } : {}),
  });
}

/** An eligible account is an offer, not a part of the deployment's state: a circle, unless it has failed itself. */
function accountIcon({ finding, role }: AccountElement): vscode.ThemeIcon {
  if (!finding) return icon('question');
  if (finding.state === 'failed') return stateIcon('failed');
  return role === 'eligible' ? icon('circle-large-outline') : stateIcon('satisfied');
}
