import * as vscode from 'vscode';
import { stateIcon } from '../../host/icons.js';
import { accountErrorWord, stateWord } from '../../host/text.js';
import type { AccountErrorElement } from '../../model/tree/elements.js';
import { treeItem } from '../tree/row.js';

/** The service's own word about a failed account: its code, and its message beside it. */
export function accountErrorItem(element: AccountErrorElement): vscode.TreeItem {
  const label = accountErrorWord(element.finding) ?? stateWord('failed');
  const message = element.finding.account.error?.message;
  return treeItem({
    id: element.id,
    label,
    ...(message ? { description: message } : {}),
    icon: stateIcon('failed'),
    spoken: [label, vscode.l10n.t('error of the account'), message],
  });
}
