import type * as vscode from 'vscode';
import { icon } from '../../../host/icons.js';
import { problemStep, seenSinceText } from '../../../host/text.js';
import type { AdviceElement } from '../../../model/tree/elements.js';
import { treeItem } from '../row.js';

/** What to do about the problem above, and since when it has been seen. */
export function stepItem(element: AdviceElement, now: number): vscode.TreeItem {
  const label = problemStep(element.problem);
  const seen = seenSinceText(element.problem, now);
  return treeItem({
    id: element.id,
    label,
    description: seen,
    icon: icon('lightbulb', 'editorLightBulb.foreground'),
    spoken: [label, seen],
  });
}
