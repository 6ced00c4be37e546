// The links of a hover: commands that help with the deployment or finding that it is about.

import * as vscode from 'vscode';
import type { Failure } from '../api/failure.js';
import { type Remedy, remedyAction } from '../host/actions.js';
import { commandIds, internalCommandIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import { causeWords } from '../host/text/cause.js';
import { failureWords } from '../host/text/failure.js';
import { type Deployment, isUnreadable } from '../model/findings/deployment.js';
import type { Finding, Problem } from '../model/findings/findings.js';
import {
  canNotifyOf,
  mutedProblems,
  type Remembered,
  unmutedProblems,
} from '../model/findings/state.js';
import { fixSeenElsewhere, type HoverContext } from './hoverContext.js';
import { commandLink } from './markdown.js';

/** The commands that the links of a hover may run. */
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

/**
 * Bold, because in several themes the color alone does not set a link off from the text around it.
 */
export function boldLink(
  words: string,
  command: string,
  ...commandArguments: readonly unknown[]
): string {
  return `**${commandLink(words, command, ...commandArguments)}**`;
}

/**
 * Returns the link of the remedy, if a hover may run its command. Refresh of all deployments is
 * none of these: hovers have Refresh for their own deployment.
 */
function remedyLinks(
  remedy: Remedy | undefined,
  organization: Organization | undefined,
): readonly string[] {
  const action = remedyAction(remedy, organization);
  if (!action || !linkedCommands.some((command) => command === action.command)) return [];
  return [boldLink(action.title, action.command, ...(action.arguments ?? []))];
}

/**
 * The links of a deployment's hover: what helps against its failed read, else against its worst
 * problem, else the dashboard and Refresh.
 */
export function deploymentLinks(deployment: Deployment, context: HoverContext): readonly string[] {
  const { answer, failedRead } = deployment;
  const lookAgain = dashboardAndRefreshLinks(deployment, context);
  // The last answer of a deployment that can no longer be read is no reason to act.
  if (failedRead && isUnreadable(deployment)) {
    return [...failureLinks(failedRead.failure, deployment, context), ...lookAgain];
  }
  const [worstCounted] = unmutedProblems(answer?.findings, context.memory);
  const [worstMuted] = mutedProblems(answer?.findings, context.memory);
  const problem = worstCounted ?? worstMuted;
  if (!problem) return lookAgain;
  return [...dashboardLinks(deployment, context), ...problemLinks([problem], deployment, context)];
}

/** The links of an account's or a requirement's hover: none where it is satisfied. */
export function findingLinks(
  finding: Finding,
  deployment: Deployment,
  context: HoverContext,
): readonly string[] {
  if (finding.cause) return problemLinks([finding.cause], deployment, context);
  return finding.state === 'unknown' ? dashboardAndRefreshLinks(deployment, context) : [];
}

/** What helps against this failure, besides reading the deployment once more. */
function failureLinks(
  failure: Failure,
  { id }: Deployment,
  { organization }: HoverContext,
): readonly string[] {
  const remedies = remedyLinks(failureWords(failure, organization).remedy, organization);
  switch (failure.kind) {
    case 'notFound':
      return [
        boldLink(vscode.l10n.t('Edit ID...'), commandIds.editDeploymentId, id),
        boldLink(vscode.l10n.t('Remove from List'), commandIds.removeDeployment, id),
        ...remedies,
      ];
    case 'notPermitted':
      return [boldLink(vscode.l10n.t('Copy Request'), commandIds.copyRequest, id), ...remedies];
    default:
      return remedies;
  }
}

export function dashboardAndRefreshLinks(
  deployment: Deployment,
  context: HoverContext,
): readonly string[] {
  return [...dashboardLinks(deployment, context), refreshLink(deployment)];
}

function dashboardLinks({ id }: Deployment, { hasDashboard }: HoverContext): readonly string[] {
  if (!hasDashboard) return [];
  return [boldLink(vscode.l10n.t('Open in Dashboard'), commandIds.openInDashboard, id)];
}

function refreshLink({ id }: Deployment): string {
  return boldLink(vscode.l10n.t('Refresh'), commandIds.refreshDeployment, id);
}

/** What helps in an outage; empty without one. */
export function outageLinks({ cause, organization }: HoverContext): readonly string[] {
  if (cause?.kind !== 'failure') return [];
  return remedyLinks(causeWords(cause, organization).remedy, organization);
}

/**
 * What can be done about these problems of one deployment: Refresh first if another deployment
 * shows that their accounts work, else last.
 */
export function problemLinks(
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): readonly string[] {
  const { memory } = context;
  // The commands are given what they would be given by a row of the tree.
  const row = {
    deployment: { id: deployment.id },
    problems: problems.map(({ key }) => ({ key })),
  };
  const areFixedElsewhere = problems.every(
    (problem) => fixSeenElsewhere(problem, deployment, context) !== undefined,
  );
  const areMuted = problems.every((problem) => memory.muteOf(problem) !== undefined);
  // The platform may have deleted an unreadable deployment, or no longer permit to read it. In an
  // outage, a request can still be copied, because it says as of when it was true.
  const canRequest = !areFixedElsewhere && !areMuted && !isUnreadable(deployment);

  const links: string[] = [];
  if (areFixedElsewhere) links.push(refreshLink(deployment));
  if (canRequest) {
    links.push(boldLink(vscode.l10n.t('Copy Request'), commandIds.copyRequest, row));
  }
  links.push(...notifyLinks(problems, memory, row));
  links.push(
    areMuted
      ? boldLink(vscode.l10n.t('Unmute Problem'), commandIds.unmuteProblem, row)
      : boldLink(vscode.l10n.t('Mute...'), commandIds.muteProblem, row),
  );
  if (!areFixedElsewhere) links.push(refreshLink(deployment));
  return links;
}

function notifyLinks(
  problems: readonly Problem[],
  memory: Remembered,
  row: unknown,
): readonly string[] {
  if (problems.some((problem) => canNotifyOf(problem, memory))) {
    return [boldLink(vscode.l10n.t('Notify When Fixed'), commandIds.notifyWhenFixed, row)];
  }
  if (problems.some((problem) => memory.notifies(problem))) {
    return [boldLink(vscode.l10n.t('Stop Notifying'), commandIds.stopNotifying, row)];
  }
  return [];
}
