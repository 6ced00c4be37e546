import * as vscode from 'vscode';
import { icon } from '../../host/icons.js';
import type { Organization } from '../../host/organizations/organization.js';
import { clockTime, failureSentence, failureStep } from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import type { FailureElement } from '../../model/tree/elements.js';
import { treeItem } from '../tree/row.js';
import { runStep } from './runStep.js';

/** What the failure means, which the row above names in two words; its step is the row's command. */
export function failureItem(
  element: FailureElement,
  organization: Organization | undefined,
  now: number,
): vscode.TreeItem {
  const { failure, at } = failureOf(element.deployment, now);
  const about = { operation: 'authorization' as const, ...(organization && { organization }) };
  const sentence = failureSentence(failure, about);
  const step = failureStep(failure, about);
  return treeItem({
    id: element.id,
    label: sentence,
    icon: icon('circle-slash', 'problemsErrorIcon.foreground'),
    spoken: [sentence, vscode.l10n.t('tried {time}', { time: clockTime(at, now) }), step?.title],
    ...runStep(step),
  });
}

/** The row exists because of a failure; should a newer read have taken it away in between, the row is about to go. */
export function failureOf(deployment: Deployment, now: number): NonNullable<Deployment['failure']> {
  return deployment.failure ?? { failure: { kind: 'cancelled' }, at: now };
}
