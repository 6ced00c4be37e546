import type * as vscode from 'vscode';
import { leftOutCount } from '../../api/answer.js';
import { icon } from '../../host/icons.js';
import { heading, unreadableText } from '../../host/text.js';
import type { UnreadableElement } from '../../model/tree/elements.js';
import { treeItem } from '../tree/row.js';

/** That parts of the answer could not be read; which ones is in the hover. */
export function unreadableItem(element: UnreadableElement): vscode.TreeItem {
  const { answer } = element.deployment;
  const label = heading(unreadableText(answer ? leftOutCount(answer) : 0));
  return treeItem({
    id: element.id,
    label,
    icon: icon('info', 'problemsInfoIcon.foreground'),
    spoken: [label],
  });
}
