import type * as vscode from 'vscode';
import { icon } from '../../../host/icons.js';
import type { Organization } from '../../../host/organizations/organization.js';
import { causeSentence, causeStep, causeWord, heading } from '../../../host/text.js';
import type { CauseElement } from '../../../model/tree/elements.js';
import { runStep } from '../../items/runStep.js';
import { treeItem } from '../row.js';

/** The first row, when one thing holds for the whole view: what it is, and the step that a click takes. */
export function causeItem(element: CauseElement, organization: Organization | undefined): vscode.TreeItem {
  const { cause } = element;
  const label = heading(causeWord(cause));
  const step = causeStep(cause, organization);
  return treeItem({
    id: element.id,
    label,
    ...(step ? { description: step.title } : {}),
    icon: causeIcon(cause),
    spoken: [label, causeSentence(cause, organization), step?.title],
    ...runStep(step),
  });
}

function causeIcon(cause: CauseElement['cause']): vscode.ThemeIcon {
  switch (cause.kind) {
    case 'failure':
      return icon('circle-slash', 'problemsErrorIcon.foreground');
    case 'paused':
      return icon('debug-pause', 'problemsWarningIcon.foreground');
    default:
      return icon('workspace-untrusted', 'problemsWarningIcon.foreground');
  }
}
