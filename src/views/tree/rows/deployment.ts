import * as vscode from 'vscode';
import { icon, stateIcons } from '../../../host/icons.js';
import { commandIds, contextValues } from '../../../host/ids.js';
import { asOfRowTime, asOfTime } from '../../../host/text/cause.js';
import {
  deploymentSummary,
  stateWithCauses,
  unreadableFieldsWord,
} from '../../../host/text/deployment.js';
import { failureWordInRow } from '../../../host/text/failure.js';
import { clockTime, joinWithDots, numberText } from '../../../host/text/format.js';
import { changedSinceMutedWord } from '../../../host/text/mutes.js';
import {
  maxLabelChars,
  nameList,
  newWord,
  notifyingWord,
  requirementLabel,
} from '../../../host/text/problem.js';
import { minute } from '../../../model/base/time.js';
import { shortName } from '../../../model/deploymentNames.js';
import {
  type Deployment,
  isDenied,
  isFailing,
  isUnreadable,
} from '../../../model/findings/deployment.js';
import type { RequirementFinding } from '../../../model/findings/findings.js';
import { unmutedProblems } from '../../../model/findings/state.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { maxRowChars, menuFor, type RowContent, type RowContext } from '../row.js';

/**
 * "Billing sync", beside it "Finance Slack failed +1"; below an account "notifier", the
 * requirements that are bound to it there. Icon and spoken name say the deployment's own state in
 * both.
 */
export function deploymentRow(
  element: ElementOf<'deployment'> | ElementOf<'member'>,
  context: RowContext,
): RowContent {
  const { deployment } = element;
  const { memory, now } = context;
  const { state, activity, answer, failedRead } = deployment;
  const name = shortName(deployment, maxRowChars);
  const problems = answer?.findings.problems ?? [];
  const bound = element.kind === 'member' ? boundText(element.requirements) : undefined;
  const summary = isSaidByFirstRow(deployment, context)
    ? undefined
    : deploymentSummary(deployment, context);
  const changed = isUnreadable(deployment) ? undefined : changedWord(deployment, context);
  const newText = newWord(!isUnreadable(deployment) && hasNewProblem(deployment, context));
  const notifying = notifyingWord(problems, memory);

  const isOutdated = !failedRead && context.impact.isOutdated(deployment.id);
  const isAsOfShown = answer !== undefined && isOutdated;
  const isAsOfSpoken = answer !== undefined && (isOutdated || isOldAnswer(deployment));

  const isNotFound = failedRead?.failure.kind === 'notFound';
  const menu = isNotFound ? contextValues.deploymentNotFound : contextValues.deployment;
  // Of a deployment that does not fail, there is nothing to wait for.
  const awaited = isFailing(deployment) ? problems : [];
  const contextValue = menuFor(menu, problems, memory, awaited);
  return {
    label: name,
    description: joinWithDots(
      bound ?? summary,
      newText,
      isAsOfShown ? asOfRowTime(answer.asOf, now) : undefined,
      notifying,
      changed,
    ),
    icon: activity === 'reading' ? icon('sync~spin') : stateIcons[state],
    spoken: [
      name,
      vscode.l10n.t('deployment'),
      stateWithCauses(deployment, context),
      bound,
      changed,
      newText,
      notifying,
      ...spokenReadWords(deployment, context),
    ],
    asOf: isAsOfSpoken ? asOfTime(answer.asOf, now) : undefined,
    contextValue: isDenied(deployment) ? `${contextValue} canRequest` : contextValue,
    state,
  };
}

/** Whether a problem of the deployment that is not muted came while the user was away. */
function hasNewProblem(
  { id, answer }: Deployment,
  { memory, changesWhileAway }: RowContext,
): boolean {
  return unmutedProblems(answer?.findings, memory).some((problem) =>
    changesWhileAway.isNew(id, problem),
  );
}

/** "changed since it was muted", of the worst problem, which the row names; else `undefined`. */
function changedWord({ answer }: Deployment, { memory }: RowContext): string | undefined {
  const [worst] = unmutedProblems(answer?.findings, memory);
  return changedSinceMutedWord(worst, memory);
}

/** "notifier, archive"; "not bound" without a requirement. */
function boundText(requirements: readonly RequirementFinding[]): string {
  if (requirements.length === 0) return vscode.l10n.t('not bound');
  return nameList(requirements, (requirement) => requirementLabel(requirement, maxLabelChars));
}

/** Whether nothing was read yet in an outage, as the view's description and its first row say. */
function isSaidByFirstRow({ state }: Deployment, { cause }: RowContext): boolean {
  return state === 'notYetRead' && cause?.kind === 'failure' && cause.asOf === undefined;
}

/**
 * Whether the shown answer is not what the platform had when it was asked last, because a cache had
 * answered that request, or because the last read has failed.
 */
function isOldAnswer({ answer, failedRead }: Deployment): boolean {
  if (answer === undefined) return false;
  const isCached = answer.sentAt - answer.asOf > minute;
  return failedRead !== undefined || isCached;
}

/**
 * For a screen reader: what the state does not say of the last read, as "2 fields unreadable",
 * "stale", "Unreachable (DNS)", "tried 9:14 AM", "reading". A clock time stays true although the
 * row is not drawn again.
 */
function spokenReadWords(
  deployment: Deployment,
  { now, cause }: RowContext,
): readonly (string | undefined)[] {
  const { activity, answer, failedRead } = deployment;
  // In an outage the time of the last good answers ends the name of each row.
  const isOutage = cause?.kind === 'failure';
  return [
    answer && unreadableFieldsWord(answer.decodeIssues.length),
    failedRead && answer ? vscode.l10n.t('stale') : undefined,
    failedRead && !isUnreadable(deployment) ? failureWordInRow(failedRead.failure) : undefined,
    failedRead && !isOutage
      ? vscode.l10n.t('tried {time}', { time: clockTime(failedRead.at, now) })
      : undefined,
    activityWord(activity),
  ];
}

/** "waiting", "reading"; `undefined` if the deployment is not being read. */
function activityWord(activity: Deployment['activity']): string | undefined {
  switch (activity) {
    case 'idle':
      return undefined;
    case 'waiting':
      return vscode.l10n.t('waiting');
    case 'reading':
      return vscode.l10n.t({ message: 'reading', comment: 'Being read' });
  }
}

/**
 * Stands for healthy deployments that are hidden: "17 healthy hidden"; "All 17 healthy" if every
 * deployment in the list is healthy. A click shows them.
 */
export function hiddenRow({ count, isAll }: ElementOf<'hidden'>): RowContent {
  const label = isAll
    ? allHealthyText(count)
    : vscode.l10n.t('{count} healthy hidden', { count: numberText(count) });
  const action = { title: vscode.l10n.t('Show All Deployments'), command: commandIds.showAll };
  return {
    label,
    icon: isAll ? stateIcons.satisfied : undefined,
    spoken: [label, action.title],
    contextValue: contextValues.hidden,
    action,
  };
}

/** "All 17 healthy", "1 healthy" */
function allHealthyText(count: number): string {
  const values = { count: numberText(count) };
  return count > 1
    ? vscode.l10n.t('All {count} healthy', values)
    : vscode.l10n.t('{count} healthy', values);
}
