import * as vscode from 'vscode';
import { contextValues } from '../../host/ids.js';
import { clockTime, deploymentSummary } from '../../host/text.js';
import type { DeploymentElement } from '../../model/tree.js';
import { deploymentIcon } from './icons.js';
import { treeItem } from './row.js';

export function deploymentItem(element: DeploymentElement, expandable: boolean, now: number): vscode.TreeItem {
  const { deployment } = element;
  const summary = deploymentSummary(deployment, now);
  return treeItem({
    id: element.id,
    label: deployment.name,
    description: summary,
    icon: deploymentIcon(deployment),
    spoken: [deployment.name, vscode.l10n.t('deployment'), summary, age(element, now)],
    expandable,
    contextValue: contextValues.deployment,
    ...problemOf(element),
  });
}

/** Coloured rows are those that the badge counts, stale ones included. */
function problemOf({ deployment: { state } }: DeploymentElement) {
  return state === 'failed' || state === 'notSatisfied' ? { problem: state } : {};
}

/** The clock's time where the summary has no age: it stays true while the row is not drawn again. */
function age({ deployment: { answer, failure } }: DeploymentElement, now: number): string | undefined {
  if (!answer) return failure && vscode.l10n.t('tried {time}', { time: clockTime(failure.at, now) });
  if (failure || answer.findings.problems.length > 0) return undefined;
  return vscode.l10n.t('read {time}', { time: clockTime(answer.receivedAt, now) });
}
