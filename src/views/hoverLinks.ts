// What a hover links: commands that help, for what it is about.

import * as vscode from 'vscode';
import type { Failure } from '../api/failure.js';
import { type Remedy, remedyAction } from '../host/actions.js';
import { commandIds, internalCommandIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import { causeWords } from '../host/text/cause.js';
import { failureWords } from '../host/text/failure.js';
import { type Deployment, isUnreadable } from '../model/findings/deployment.js';
import type { Finding, Problem } from '../model/findings/findings.js';
import { countedProblems, mutedProblems, type Remembered } from '../model/findings/state.js';
import { fixSeenElsewhere, type HoverContext } from './hoverContext.js';
import { commandLink } from './markdown.js';

/** What the links of a hover may run. */
export const linkedCommands = [
  internalCommandIds.revealDeployment,
  commandIds.openInDashboard,
  commandIds.copyRequest,
  commandIds.notifyWhenFixed,
  commandIds.stopNotifying,
  commandIds.muteProblem,
  commandIds.unmuteProblem,
  commandIds.refreshDeployment,
  commandIds.editDeploymentId,
  commandIds.removeDeployment,
  commandIds.switchOrganization,
  commandIds.signIn,
  commandIds.checkConnection,
  commandIds.showLog,
];

/** Bold, because in several themes the color alone does not set a link off from the text around it. */
export function link(words: string, command: string, ...given: readonly unknown[]): string {
  return `**${commandLink(words, command, ...given)}**`;
}

/**
 * Of those that are commands of ours. To read all deployments again is none: each hover has Refresh
 * for its own.
 */
function remedyLinks(
  remedy: Remedy | undefined,
  organization: Organization | undefined,
): readonly string[] {
  const action = remedyAction(remedy, organization);
  if (!action || !linkedCommands.some((command) => command === action.command)) return [];
  return [link(action.title, action.command, ...(action.arguments ?? []))];
}

export function deploymentLinks(deployment: Deployment, context: HoverContext): readonly string[] {
  const { answer, failedRead } = deployment;
  // What an old answer says of a deployment that can no longer be read is no reason to act.
  if (failedRead && isUnreadable(deployment)) {
    return [
      ...failureLinks(failedRead.failure, deployment, context),
      ...readLinks(deployment, context),
    ];
  }
  const [muted] = mutedProblems(answer?.findings, context.memory);
  const [problem = muted] = countedProblems(answer?.findings, context.memory);
  if (!problem) return readLinks(deployment, context);
  return [...dashboardLinks(deployment, context), ...problemLinks([problem], deployment, context)];
}

export function findingLinks(
  finding: Finding,
  deployment: Deployment,
  context: HoverContext,
): readonly string[] {
  if (finding.cause) return problemLinks([finding.cause], deployment, context);
  return finding.state === 'unknown' ? readLinks(deployment, context) : [];
}

/** What helps against this failure, beside reading the deployment once more. */
function failureLinks(
  failure: Failure,
  { id }: Deployment,
  { organization }: HoverContext,
): readonly string[] {
  const remedies = remedyLinks(failureWords(failure, organization).remedy, organization);
  switch (failure.kind) {
    case 'notFound':
      return [
        link(vscode.l10n.t('Edit ID...'), commandIds.editDeploymentId, id),
        link(vscode.l10n.t('Remove from List'), commandIds.removeDeployment, id),
        ...remedies,
      ];
    case 'notPermitted':
      return [link(vscode.l10n.t('Copy Request'), commandIds.copyRequest, id), ...remedies];
    default:
      return remedies;
  }
}

export function readLinks(deployment: Deployment, context: HoverContext): readonly string[] {
  const refresh = link(vscode.l10n.t('Refresh'), commandIds.refreshDeployment, deployment.id);
  return [...dashboardLinks(deployment, context), refresh];
}

function dashboardLinks({ id }: Deployment, { hasDashboard }: HoverContext): readonly string[] {
  return hasDashboard
    ? [link(vscode.l10n.t('Open in Dashboard'), commandIds.openInDashboard, id)]
    : [];
}

/** What helps where nothing can be read now. */
export function outageLinks({ cause, organization }: HoverContext): readonly string[] {
  if (cause?.kind !== 'failure') return [];
  return remedyLinks(causeWords(cause, organization).remedy, organization);
}

export function problemLinks(
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): readonly string[] {
  const { memory } = context;
  const { id } = deployment;
  const row = { deployment: { id }, problems: problems.map(({ key }) => ({ key })) };
  const refresh = link(vscode.l10n.t('Refresh'), commandIds.refreshDeployment, id);
  const isFixedElsewhere = problems.every(
    (problem) => fixSeenElsewhere(problem, deployment, context) !== undefined,
  );
  const isMuted = (problem: Problem): boolean => memory.mutedUntil(problem) !== undefined;
  // The platform may have deleted the deployment, or no longer permit to read it. In an outage a
  // request says as of when it is true.
  const canAsk = !isFixedElsewhere && !isUnreadable(deployment) && !problems.every(isMuted);
  return [
    ...(isFixedElsewhere ? [refresh] : []),
    ...(canAsk ? [link(vscode.l10n.t('Copy Request'), commandIds.copyRequest, row)] : []),
    ...notifyLinks(problems, memory, row),
    problems.every(isMuted)
      ? link(vscode.l10n.t('Unmute Problem'), commandIds.unmuteProblem, row)
      : link(vscode.l10n.t('Mute...'), commandIds.muteProblem, row),
    ...(isFixedElsewhere ? [] : [refresh]),
  ];
}

/** A user who has muted a problem is offered no notification of it. */
function notifyLinks(
  problems: readonly Problem[],
  memory: Remembered,
  row: unknown,
): readonly string[] {
  const counted = problems.filter((problem) => memory.mutedUntil(problem) === undefined);
  if (counted.some((problem) => !memory.notifies(problem))) {
    return [link(vscode.l10n.t('Notify When Fixed'), commandIds.notifyWhenFixed, row)];
  }
  const isNotified = problems.some((problem) => memory.notifies(problem));
  return isNotified ? [link(vscode.l10n.t('Stop Notifying'), commandIds.stopNotifying, row)] : [];
}
