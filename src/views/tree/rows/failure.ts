import * as vscode from 'vscode';
import { type WithDecodeIssues } from '../../../api/decode.js';
import type { Failure } from '../../../api/failure.js';
import { type Remedy, remedyAction } from '../../../host/actions.js';
import { adviceIcon, icon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import type { Organization } from '../../../host/organizations/organization.js';
import { asOfRowTime, causeAsOf, causeName, causeWords } from '../../../host/text/cause.js';
import { unreadableFieldsWord } from '../../../host/text/deployment.js';
import {
  failureWords,
  nextStepLabel,
  responseSentence,
  withoutCodes,
} from '../../../host/text/failure.js';
import {
  absoluteTime,
  capitalized,
  clockTime,
  firstWithMore,
  joinSentences,
  joinWithDots,
} from '../../../host/text/format.js';
import {
  accountLabel,
  adviceLabel,
  adviceText,
  mutedWord,
  nameList,
  requirementLabel,
  scopesWord,
  seenSinceText,
  unknownAdviceLabel,
  unknownTexts,
} from '../../../host/text/problem.js';
import { shortName } from '../../../model/deploymentNames.js';
import type { AccountReading } from '../../../model/findings/accountReadings.js';
import type { Finding } from '../../../model/findings/findings.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { causeHover } from '../../hover.js';
import { bulletList, escaped } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/**
 * "Proxy (407)", beside it "Check Connection · as of 8:30 PM": VS Code cuts the end, and the step
 * has to be seen. The row of an untrusted workspace has no room for it.
 */
export function causeRow(
  { cause }: ElementOf<'cause'>,
  { organization, now }: RowContext,
): RowContent {
  const { spoken, remedy } = causeWords(cause, organization);
  const label = capitalized(causeName(cause, now));
  const action = remedyAction(remedy, organization);
  const asOf =
    cause.kind === 'failure' && cause.asOf !== undefined ? asOfRowTime(cause.asOf, now) : undefined;
  return {
    label,
    description: cause.kind === 'untrusted' ? undefined : joinWithDots(action?.title, asOf),
    icon: causeIcons[cause.kind],
    spoken: [label, spoken, action?.title],
    asOf: causeAsOf(cause, now),
    contextValue: remedy && causeMenu(remedy),
    action,
  };
}

/** "cause checkConnection": the button beside a first row is that of its remedy. */
function causeMenu(remedy: Remedy): string {
  return `${contextValues.cause} ${typeof remedy === 'object' ? 'signIn' : remedy}`;
}

const causeIcons: Readonly<Record<ElementOf<'cause'>['cause']['kind'], vscode.ThemeIcon>> = {
  failure: icon('circle-slash', 'problemsErrorIcon.foreground'),
  paused: icon('debug-pause', 'problemsWarningIcon.foreground'),
  untrusted: icon('workspace-untrusted', 'problemsWarningIcon.foreground'),
};

export function causeRowHover(
  { cause }: ElementOf<'cause'>,
  { organization }: RowContext,
): vscode.MarkdownString {
  const { sentence, remedy } = causeWords(cause, organization);
  const text =
    cause.kind === 'failure' && !cause.isOffline
      ? failureText(cause.failure, cause.at, organization)
      : sentence;
  return causeHover(text, remedyAction(remedy, organization));
}

export function failureRow(
  { failed }: ElementOf<'failure'>,
  { organization, now }: RowContext,
): RowContent {
  const { failure, at } = failed;
  const { sentence } = failureWords(failure, organization);
  const label = nextStepLabel(failure, organization);
  return {
    label,
    icon: adviceIcon,
    spoken: [
      label,
      withoutCodes(sentence, failure),
      vscode.l10n.t('tried {time}', { time: clockTime(at, now) }),
    ],
    contextValue: failureMenus[failure.kind] ?? contextValues.failure,
  };
}

const failureMenus: Partial<Readonly<Record<Failure['kind'], string>>> = {
  notPermitted: `${contextValues.failure} canRequest`,
  notFound: contextValues.failureNotFound,
  tokenRejected: contextValues.failureTokenRejected,
};

export function adviceRow(element: ElementOf<'advice'>, context: RowContext): RowContent {
  const { problem, deployment } = element;
  const { impact, memory, now } = context;
  const account = problem.kind === 'failedAccount' ? problem.finding.account : undefined;
  const newest = impact.newestIfWorking(deployment.id, account?.id);
  if (newest) return refreshRow(newest);
  const seen = seenSinceText(memory.seenSince(problem), deployment, now);
  const label = adviceLabel(problem);
  const sentence = adviceText(problem);
  const scopes = problem.kind === 'failedAccount' ? problem.scopes : [];
  const withScopes =
    scopes.length > 0
      ? vscode.l10n.t({
          message: 'with {scopes}',
          args: { scopes: scopesWord(scopes) },
          comment: 'Reconnect it',
        })
      : undefined;
  const requirement = problem.kind === 'unsatisfiedRequirement' && problem.finding.name;
  const forRequirement = requirement
    ? vscode.l10n.t({
        message: 'for {requirement}',
        args: { requirement },
        comment: 'Grant scopes',
      })
    : undefined;
  const muted = mutedWord(problem, memory, now);
  return {
    label,
    description: joinWithDots(muted, withScopes, forRequirement),
    icon: adviceIcon,
    // Voice control takes the words on the screen, so the name begins with them.
    spoken: [sentence.startsWith(label) ? undefined : label, sentence, forRequirement, muted, seen],
    contextValue: menuFor(contextValues.advice, [problem], memory),
  };
}

/** "Refresh this deployment", where another one has shown since that the account works. */
export function refreshRow({ deployment, finding: { account } }: AccountReading): RowContent {
  const label = vscode.l10n.t('Refresh this deployment');
  const words = { account: accountLabel(account), deployment: shortName(deployment) };
  const why = vscode.l10n.t('{account} works in {deployment}', words);
  return {
    label,
    description: why,
    icon: adviceIcon,
    spoken: [label, why],
    contextValue: contextValues.outdated,
  };
}

/** "Look in the dashboard", where the platform leaves something open. */
export function unknownRow(
  { findings }: ElementOf<'unknown'>,
  { hasDashboard }: RowContext,
): RowContent {
  const label = unknownAdviceLabel(hasDashboard);
  return {
    label,
    description: nameList(findings, shortLabel, maxUnknownNames),
    icon: adviceIcon,
    spoken: [label, ...unknownTexts(findings)],
    contextValue: hasDashboard ? contextValues.advice : contextValues.outdated,
  };
}

const maxUnknownNames = 3;

/** Without the service, which the row below says. */
function shortLabel(finding: Finding): string {
  return 'account' in finding ? accountLabel(finding.account) : requirementLabel(finding);
}

function failureText(failure: Failure, at: number, organization: Organization | undefined): string {
  return joinSentences(
    failureWords(failure, organization).sentence,
    vscode.l10n.t('Tried on {time}.', { time: absoluteTime(at) }),
    responseSentence(failure),
  );
}

export function unreadableRow({ leftOut }: ElementOf<'unreadable'>): RowContent {
  const label = unreadableFieldsWord(leftOut.decodeIssues.length) ?? '';
  return { label, icon: icon('info', 'problemsInfoIcon.foreground'), spoken: [label] };
}

const maxUnreadable = 10;

/** Which fields could not be read, what was expected there and what was found; never the value. */
export function unreadableLines(answer: WithDecodeIssues): string | undefined {
  const word = unreadableFieldsWord(answer.decodeIssues.length);
  if (!word) return undefined;
  const fields = firstWithMore(answer.decodeIssues, maxUnreadable, ({ path, expected, found }) =>
    inertMarkdown(
      vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }),
      300,
    ),
  );
  return `${escaped(capitalized(word))}\n\n${bulletList(fields)}`;
}
