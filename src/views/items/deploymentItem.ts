import * as vscode from 'vscode';
import { contextValues } from '../../host/ids.js';
import { clockTime, deploymentSummary } from '../../host/text.js';
import type { Deployment } from '../../model/deployment.js';
import type { DeploymentElement } from '../../model/tree.js';
import { deploymentIcon } from './icons.js';
import { itemOf, type Look, lookOf } from './row.js';

/**
 * After a change of all VS Code asks for every row again, and most of ten thousand say what they said: the words of a deployment
 * that is the same object stay true until its age is another one.
 */
const looks = new WeakMap<Deployment, { readonly age: number; readonly look: Look }>();

/** Ages change with the minute; the clock's time gets a date after half a day. */
const shortAge = 60_000;
const longAge = 12 * 60 * 60_000;

export function deploymentItem(element: DeploymentElement, expandable: () => boolean, now: number): vscode.TreeItem {
  const { deployment } = element;
  if (deployment.failure) return itemOf(lookOfDeployment(element.id, deployment, expandable(), now));
  const age = ageOf(deployment, now);
  let known = looks.get(deployment);
  if (known?.age !== age) {
    known = { age, look: lookOfDeployment(element.id, deployment, expandable(), now) };
    looks.set(deployment, known);
  }
  return itemOf(known.look);
}

/** Equal numbers: the row says the same. */
function ageOf({ answer }: Deployment, now: number): number {
  if (!answer) return 0;
  return Math.floor((now - answer.receivedAt) / (answer.findings.problems.length > 0 ? shortAge : longAge));
}

function lookOfDeployment(id: string, deployment: Deployment, expandable: boolean, now: number): Look {
  const summary = deploymentSummary(deployment, now);
  return lookOf({
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
