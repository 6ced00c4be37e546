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
import {
  maxLabelChars,
  nameList,
  newWord,
  notifyingWord,
  requirementLabel,
} from '../../../host/text/problem.js';
import { minute } from '../../../model/base/time.js';
import { shortName } from '../../../model/deploymentNames.js';
import { type Deployment, isDenied, isUnreadable } from '../../../model/findings/deployment.js';
import type { RequirementFinding } from '../../../model/findings/findings.js';
import { countedProblems } from '../../../model/findings/state.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { maxRowChars, menuFor, type RowContent, type RowContext } from '../row.js';

/** Also below an account it shows its own state; there the words say what is bound to the account. */
export function deploymentRow(
  element: ElementOf<'deployment'> | ElementOf<'member'>,
  context: RowContext,
): RowContent {
  const { deployment } = element;
  const { now } = context;
  const { state, activity, answer, failedRead } = deployment;
  const name = shortName(deployment, maxRowChars);
  const bound = element.kind === 'member' ? boundText(element.requirements) : undefined;
  const problems = answer?.findings.problems ?? [];
  const notifying = notifyingWord(problems, context.memory);
  const isNew = !isUnreadable(deployment) && hasNew(deployment, context);
  const isOutdated = !failedRead && context.impact.isOutdated(deployment.id);
  const asOf = answer && isOutdated ? asOfRowTime(answer.asOf, now) : undefined;
  const summary = isSaidByFirstRow(deployment, context)
    ? undefined
    : deploymentSummary(deployment, context);
  const contextValue = menuFor(
    failedRead?.failure.kind === 'notFound'
      ? contextValues.deploymentNotFound
      : contextValues.deployment,
    problems,
    context.memory,
  );
  return {
    label: name,
    description: joinWithDots(bound ?? summary, newWord(isNew), asOf, notifying),
    icon: activity === 'reading' ? icon('sync~spin') : stateIcons[state],
    spoken: [
      name,
      vscode.l10n.t('deployment'),
      stateWithCauses(deployment, context),
      bound,
      newWord(isNew),
      notifying,
      ...readWords(deployment, context),
    ],
    asOf: answer && (isOutdated || isOld(deployment)) ? asOfTime(answer.asOf, now) : undefined,
    contextValue: isDenied(deployment) ? `${contextValue} canRequest` : contextValue,
    state,
  };
}

/** Whether a problem that counts came while the user was away. */
function hasNew({ id, answer }: Deployment, { memory, changesWhileAway }: RowContext): boolean {
  return countedProblems(answer?.findings, memory).some((problem) =>
    changesWhileAway.isNew(id, problem),
  );
}

function boundText(requirements: readonly RequirementFinding[]): string {
  if (requirements.length === 0) return vscode.l10n.t('not bound');
  return nameList(requirements, (one) => requirementLabel(one, maxLabelChars));
}

/**
 * Whether nothing was read yet, of which the view's description and the first row's icon say so
 * above.
 */
function isSaidByFirstRow({ state }: Deployment, { cause }: RowContext): boolean {
  return state === 'notYetRead' && cause?.kind === 'failure' && cause.asOf === undefined;
}

/**
 * Whether it shows more or less than the answer to the last request: that lay in a cache, or
 * failed.
 */
function isOld({ answer, failedRead }: Deployment): boolean {
  return answer !== undefined && (failedRead !== undefined || answer.sentAt - answer.asOf > minute);
}

/** For a screen reader: what of the read the state does not say. A time of day stays true although the row is not drawn again. */
function readWords(
  deployment: Deployment,
  { now, cause }: RowContext,
): readonly (string | undefined)[] {
  const { activity, answer, failedRead } = deployment;
  const read = vscode.l10n.t({ message: 'reading', comment: 'Being read' });
  return [
    answer && unreadableFieldsWord(answer.decodeIssues.length),
    failedRead && answer && vscode.l10n.t('stale'),
    failedRead && !isUnreadable(deployment) ? failureWordInRow(failedRead.failure) : undefined,
    // While nothing can be read, as of when all of it is comes last.
    failedRead && cause?.kind !== 'failure'
      ? vscode.l10n.t('tried {time}', { time: clockTime(failedRead.at, now) })
      : undefined,
    { idle: undefined, waiting: vscode.l10n.t('waiting'), reading: read }[activity],
  ];
}

export function hiddenRow({ count, isAll }: ElementOf<'hidden'>): RowContent {
  const words = { count: numberText(count) };
  const all =
    count > 1
      ? vscode.l10n.t('All {count} healthy', words)
      : vscode.l10n.t('{count} healthy', words);
  const label = isAll ? all : vscode.l10n.t('{count} healthy hidden', words);
  const action = { title: vscode.l10n.t('Show All Deployments'), command: commandIds.showAll };
  return {
    label,
    ...(isAll && { icon: stateIcons.satisfied }),
    spoken: [label, action.title],
    contextValue: contextValues.hidden,
    action,
  };
}
