import * as vscode from 'vscode';
import { contextValues } from '../../../host/ids.js';
import { clockTime, deploymentSummary, summaryChangesAt } from '../../../host/text.js';
import type { Deployment } from '../../../model/deployment.js';
import type { DeploymentElement } from '../../../model/tree/elements.js';
import { deploymentIcon } from '../../items/icons.js';
import { treeItem } from '../row.js';

/** A row's item as it was made, and how long it says the same. */
interface Made {
  readonly of: Deployment;
  readonly from: number;
  readonly until: number;
  readonly item: vscode.TreeItem;
}

/** After a change of all VS Code asks for every row again, and most of ten thousand say what they said. */
let made = new WeakMap<DeploymentElement, Made>();

/** While nobody asks for rows, items would keep answers that were replaced long ago. */
export function forgetItems(): void {
  made = new WeakMap();
}

/** One item may be given several times: nobody changes it. */
export function deploymentItem(element: DeploymentElement, expandable: () => boolean, now: number): vscode.TreeItem {
  const { deployment } = element;
  const known = made.get(element);
  if (known?.of === deployment && known.from <= now && now < known.until) return known.item;
  const item = makeItem(element.id, deployment, expandable(), now);
  made.set(element, { of: deployment, from: now, until: changesAt(deployment, now), item });
  return item;
}

/** Whether the row says another state than when it was last asked for, or begins or ceases to be stale. */
export function hasNews(element: DeploymentElement): boolean {
  const { state, failure } = element.deployment;
  const before = made.get(element)?.of;
  return before?.state !== state || (before.failure === undefined) !== (failure === undefined);
}

/** The clock's time gets a date after half a day. */
const halfDay = 12 * 60 * 60_000;

function changesAt(deployment: Deployment, now: number): number {
  const { answer, failure } = deployment;
  const dated = (failure?.at ?? answer?.receivedAt ?? now) + halfDay;
  return Math.min(summaryChangesAt(deployment, now), dated > now ? dated : Number.POSITIVE_INFINITY);
}

function makeItem(id: string, deployment: Deployment, expandable: boolean, now: number): vscode.TreeItem {
  const summary = deploymentSummary(deployment, now);
  return treeItem({
    id,
    label: deployment.name,
    description: summary,
    icon: deploymentIcon(deployment),
    spoken: [deployment.name, vscode.l10n.t('deployment'), summary, lastRead(deployment, now)],
    expandable,
    contextValue: contextValues.deployment,
    ...problemOf(deployment),
  });
}

/** Coloured rows are those that the badge counts, stale ones included. */
function problemOf({ state }: Deployment) {
  return state === 'failed' || state === 'notSatisfied' ? { problem: state } : {};
}

/** The clock's time where the summary has no age: it stays true while the row is not drawn again. */
function lastRead({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer) return failure && vscode.l10n.t('tried {time}', { time: clockTime(failure.at, now) });
  if (failure || answer.findings.problems.length > 0) return undefined;
  return vscode.l10n.t('read {time}', { time: clockTime(answer.receivedAt, now) });
}
