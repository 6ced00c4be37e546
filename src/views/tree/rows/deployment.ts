import * as vscode from 'vscode';
import { countDecodeIssues } from '../../../api/decode.js';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import {
  activityWord,
  deploymentSummary,
  failedAccountId,
  inDeploymentsText,
  inDeploymentsWord,
  satisfiedText,
  stateLine,
  unreadableWord,
} from '../../../host/text/deployment.js';
import { failureWords } from '../../../host/text/failure.js';
import { absoluteTime, clockTime } from '../../../host/text/format.js';
import { organizationName } from '../../../host/text/organization.js';
import { problemMessage } from '../../../host/text/problem.js';
import { type Deployment, isUnreadable } from '../../../model/deployment.js';
import type { Problem } from '../../../model/problems/findings.js';
import type { DeploymentElement, MemberElement } from '../../../model/tree/elements.js';
import { escaped, fields, lines, list, markdown, title } from '../../markdown.js';
import { type Looks, menuFor, type Row, type RowContext } from '../row.js';
import { adviceInFull } from './advice.js';
import { failureText, unreadableLines } from './trouble.js';

export const deploymentRows = {
  deployment: { row: deploymentRow, hover: deploymentHover },
  /** Below an account a deployment carries its own state, too: what is bound to the account stands below. */
  member: { row: deploymentRow, hover: deploymentHover },
} satisfies Looks<'deployment' | 'member'>;

function watchedWord({ id }: Deployment, { watches }: RowContext): string | undefined {
  return watches.has(id) ? vscode.l10n.t('watched') : undefined;
}

function deploymentMenu(deployment: Deployment, problems: readonly Problem[], context: RowContext): string {
  const isNotFound = deployment.failure?.failure.kind === 'notFound';
  const menu = menuFor(isNotFound ? contextValues.deploymentNotFound : contextValues.deployment, problems);
  return watchedWord(deployment, context) ? `${menu} watched` : menu;
}

function deploymentRow({ deployment }: DeploymentElement | MemberElement, context: RowContext): Row {
  const { now, impact } = context;
  const { name, state, answer } = deployment;
  const watched = watchedWord(deployment, context);
  const shared = impact.count(namedAccountId(deployment));
  const satisfied = satisfiedText(deployment);
  return {
    label: name,
    description: deploymentSummary(deployment, now, { watched, shared, satisfied }),
    icon: deploymentIcon(deployment),
    spoken: [
      name,
      vscode.l10n.t('deployment'),
      stateLine(deployment, satisfied),
      inDeploymentsWord(shared),
      watched,
      ...readWords(deployment, now),
    ],
    contextValue: deploymentMenu(deployment, answer?.findings.all ?? [], context),
    state,
  };
}

/** While something is under way the icon says so. */
function deploymentIcon({ state, activity, answer, failure }: Deployment): vscode.ThemeIcon {
  if (activity === 'reading') return icon('sync~spin');
  if (activity === 'waiting' && !answer && !failure) return icon('watch', 'disabledForeground');
  return stateIcon(state);
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

/** Everything about a deployment that has no row of its own below it. */
function deploymentHover(
  { deployment }: DeploymentElement | MemberElement,
  { organization, impact }: RowContext,
): vscode.MarkdownString {
  const { answer, failure, name, id } = deployment;
  return markdown(
    title(name, name === id ? undefined : id),
    escaped(vscode.l10n.t('{state}.', { state: stateLine(deployment) })),
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

/** The account that a row of a deployment names: the only one that failed. */
function namedAccountId({ answer }: Deployment): string | undefined {
  const { problems: [worst] = [], failedAccounts = 0 } = answer?.findings ?? {};
  return worst && failedAccounts === 1 ? failedAccountId(worst) : undefined;
}
