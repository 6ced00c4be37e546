import * as vscode from 'vscode';
import { countDecodeIssues } from '../../../api/decode.js';
import { icon, stateIcon } from '../../../host/icons.js';
import { commandIds, contextValues } from '../../../host/ids.js';
import {
  activityWord,
  deploymentSummary,
  failedAccountId,
  inDeploymentsText,
  stateLine,
  unreadableWord,
} from '../../../host/text/deployment.js';
import { failureWords } from '../../../host/text/failure.js';
import { absoluteTime, clockTime, numberText } from '../../../host/text/format.js';
import { organizationName } from '../../../host/text/organization.js';
import { nameList, problemMessage } from '../../../host/text/problem.js';
import { type Deployment, isUnreadable } from '../../../model/deployment.js';
import type { RequirementFinding } from '../../../model/problems/findings.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { escaped, fields, lines, list, markdown, title } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { adviceInFull } from './advice.js';
import { failureText, unreadableLines } from './failure.js';

/** Also below an account it shows its own state; there the words say what is bound to the account. */
export function deploymentRow(element: ElementOf<'deployment'> | ElementOf<'member'>, context: RowContext): RowContent {
  const { deployment } = element;
  const { now, watches } = context;
  const { id, name, state, activity, answer, failure } = deployment;
  const isWatched = watches.has(id);
  const bound = element.kind === 'member' ? boundText(element.requirements) : undefined;
  const menu = menuFor(
    failure?.failure.kind === 'notFound' ? contextValues.deploymentNotFound : contextValues.deployment,
    answer?.findings.all ?? [],
  );
  return {
    label: name,
    description: bound ?? deploymentSummary(deployment, now, isWatched),
    icon: activity === 'reading' ? icon('sync~spin') : stateIcon(state),
    spoken: [
      name,
      vscode.l10n.t('deployment'),
      stateLine(deployment, now),
      bound,
      isWatched ? vscode.l10n.t('watching') : undefined,
      ...readWords(deployment, now),
    ],
    contextValue: isWatched ? `${menu} watched` : menu,
    state,
  };
}

function boundText(requirements: readonly RequirementFinding[]): string {
  const names = requirements.map(({ name }) => name || vscode.l10n.t('unnamed requirement'));
  return names.length > 0 ? nameList(names) : vscode.l10n.t('not bound');
}

/** For a screen reader: what of the read the state does not say. A time of day stays true although the row is not drawn again. */
function readWords(deployment: Deployment, now: number): readonly (string | undefined)[] {
  const { answer, failure } = deployment;
  return [
    answer && unreadableWord(countDecodeIssues(answer)),
    failure && answer && vscode.l10n.t('stale'),
    failure && !isUnreadable(deployment) ? failureWords(failure.failure).word : undefined,
    failure && vscode.l10n.t('tried {time}', { time: clockTime(failure.at, now) }),
    answer && vscode.l10n.t('read {time}', { time: clockTime(answer.receivedAt, now) }),
    activityWord(deployment),
  ];
}

export function hiddenRow({ count }: ElementOf<'hidden'>): RowContent {
  const label = vscode.l10n.t('{count} healthy hidden', { count: numberText(count) });
  const action = { title: vscode.l10n.t('Show All Deployments'), command: commandIds.showAll };
  return { label, spoken: [label, action.title], action };
}

/** Everything about a deployment that has no row of its own below it. */
export function deploymentHover(
  { deployment }: ElementOf<'deployment'> | ElementOf<'member'>,
  { organization, impact, now }: RowContext,
): vscode.MarkdownString {
  const { answer, failure, name, id } = deployment;
  return markdown(
    title(name, name === id ? undefined : id),
    escaped(vscode.l10n.t('{state}.', { state: stateLine(deployment, now) })),
    escaped(readLine(deployment)),
    failure && escaped(failureText(failure.failure, failure.at, organization)),
    answer &&
      list(
        answer.findings.all.map((problem) =>
          lines(
            escaped(problemMessage(problem)),
            adviceInFull(problem, deployment),
            escaped(inDeploymentsText(impact.count(failedAccountId(problem)))),
          ),
        ),
      ),
    answer && list(fields(answer.authorization, ['accounts', 'requirements'])),
    answer && unreadableLines(answer),
    organization && escaped(vscode.l10n.t('Organization: {name}', { name: organizationName(organization) })),
  );
}

function readLine({ answer, failure }: Deployment): string | undefined {
  if (!answer) return undefined;
  const time = absoluteTime(answer.receivedAt);
  return failure ? vscode.l10n.t('Stale: last read on {time}.', { time }) : vscode.l10n.t('Read on {time}.', { time });
}
