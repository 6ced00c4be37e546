import * as vscode from 'vscode';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import type { Organization } from '../../../host/organizations/organization.js';
import { deploymentFindingsText, deploymentSummary, summaryChangesAt } from '../../../host/text/deployment.js';
import { absoluteTime, clockTime, heading } from '../../../host/text/format.js';
import { organizationName } from '../../../host/text/organization.js';
import { stateWord } from '../../../host/text/states.js';
import type { Deployment } from '../../../model/deployment.js';
import type { DeploymentElement } from '../../../model/tree/elements.js';
import { fields, list, markdown, text, title } from '../../markdown.js';
import { type RowContext, type RowLook, treeItem } from '../row.js';
import { problemInFull } from './advice.js';
import { failureText, unreadableLines } from './trouble.js';

/** An item as it was made, and for how long it says the same. */
interface Made {
  readonly of: Deployment;
  readonly from: number;
  readonly until: number;
  readonly item: vscode.TreeItem;
}

/**
 * The rows of deployments. After a change of all VS Code asks for every row again, and most of ten thousand say what they said
 * before: their items are kept, and given again.
 */
export class DeploymentRows implements RowLook<DeploymentElement> {
  private made = new WeakMap<DeploymentElement, Made>();

  item(element: DeploymentElement, { now, hasChildren }: RowContext): vscode.TreeItem {
    const { deployment, id } = element;
    const made = this.made.get(element);
    if (made?.of === deployment && made.from <= now && now < made.until) return made.item;
    const item = deploymentItem(id, deployment, hasChildren(element), now);
    this.made.set(element, { of: deployment, from: now, until: changesAt(deployment, now), item });
    return item;
  }

  hover({ deployment }: DeploymentElement, { organization }: RowContext): vscode.MarkdownString {
    return deploymentHover(deployment, organization);
  }

  /** Whether the row says another state than when it was last asked for, or begins or ceases to be stale. */
  hasNews(element: DeploymentElement): boolean {
    const { state, failure } = element.deployment;
    const before = this.made.get(element)?.of;
    return before?.state !== state || (before.failure === undefined) !== (failure === undefined);
  }

  /** Called when the view is hidden: until it is shown again, kept items would hold answers that were replaced long ago. */
  forget(): void {
    this.made = new WeakMap();
  }
}

const halfDay = 12 * 60 * 60_000;

/** Epoch ms from which on the item says something else although nothing changed: ages grow, and after half a day times get a date. */
function changesAt(deployment: Deployment, now: number): number {
  const { answer, failure } = deployment;
  const dated = (failure?.at ?? answer?.receivedAt ?? now) + halfDay;
  return Math.min(summaryChangesAt(deployment, now), dated > now ? dated : Number.POSITIVE_INFINITY);
}

function deploymentItem(id: string, deployment: Deployment, expandable: boolean, now: number): vscode.TreeItem {
  const { name, state } = deployment;
  const summary = deploymentSummary(deployment, now);
  return treeItem({
    id,
    label: name,
    description: summary,
    icon: deploymentIcon(deployment),
    spoken: [name, vscode.l10n.t('deployment'), summary, lastRead(deployment, now)],
    expandable,
    contextValue: contextValues.deployment,
    // Coloured rows are those that the badge counts, stale ones included.
    problem: state === 'failed' || state === 'notSatisfied' ? state : undefined,
  });
}

/** While something is under way the icon says so. What was satisfied when it was last read keeps its shape and loses its green. */
function deploymentIcon({ state, activity, answer, failure }: Deployment): vscode.ThemeIcon {
  if (activity === 'reading') return icon('sync~spin');
  if (activity === 'waiting' && !answer && !failure) return icon('watch', 'disabledForeground');
  return failure && state === 'satisfied' ? icon('pass', 'disabledForeground') : stateIcon(state);
}

/** Said where the summary has no age. A time of day stays true although the row is not drawn again. */
function lastRead({ answer, failure }: Deployment, now: number): string | undefined {
  if (!answer) return failure && vscode.l10n.t('tried {time}', { time: clockTime(failure.at, now) });
  if (failure || answer.findings.problems.length > 0) return undefined;
  return vscode.l10n.t('read {time}', { time: clockTime(answer.receivedAt, now) });
}

/** Everything about a deployment that has no row of its own below it. */
function deploymentHover(deployment: Deployment, organization: Organization | undefined): vscode.MarkdownString {
  const { answer, failure, name, id } = deployment;
  return markdown(
    title(name, name === id ? undefined : id),
    text(stateLine(deployment)),
    text(readLine(deployment)),
    failure && text(failureText(failure.failure, failure.at, organization)),
    answer && list(answer.findings.problems.map(problemInFull)),
    answer && list(fields(answer.authorization, ['accounts', 'requirements'])),
    answer && unreadableLines(answer),
    organization && text(vscode.l10n.t('Organization: {name}', { name: organizationName(organization) })),
  );
}

/** "Failed: 1 account failed · 1 of 3 not satisfied" */
export function stateLine(deployment: Deployment): string {
  const findings = deploymentFindingsText(deployment);
  const state = heading(stateWord(deployment.state));
  return findings ? vscode.l10n.t('{state}: {findings}', { state, findings }) : state;
}

function readLine({ answer, failure }: Deployment): string | undefined {
  if (!answer) return undefined;
  const time = absoluteTime(answer.receivedAt);
  return failure ? vscode.l10n.t('Stale: last read on {time}.', { time }) : vscode.l10n.t('Read on {time}.', { time });
}
