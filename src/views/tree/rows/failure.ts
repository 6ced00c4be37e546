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
import { changedSinceMutedWord, mutedWord } from '../../../host/text/mutes.js';
import {
  accountLabel,
  adviceLabel,
  adviceText,
  nameList,
  requirementLabel,
  scopesWord,
  seenSinceText,
  unknownAdviceLabel,
  unknownTexts,
} from '../../../host/text/problem.js';
import { shortName } from '../../../model/deploymentNames.js';
import type { AccountReading } from '../../../model/findings/accountReadings.js';
import type { Finding, Problem } from '../../../model/findings/findings.js';
import { inertMarkdown } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { causeHover } from '../../hover.js';
import { fixSeenElsewhere } from '../../hoverContext.js';
import { bulletList, escaped } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/**
 * A first row: "Proxy (407)", beside it "Check Connection · as of 8:30 PM". VS Code cuts the end,
 * so the action comes first. The label for an untrusted workspace is long, and leaves no room for
 * the action.
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

/** "cause checkConnection": the button of a first row is that of its remedy. */
function causeMenu(remedy: Remedy): string {
  // The remedy with a base URL is to sign in there.
  const name = typeof remedy === 'object' ? 'signIn' : remedy;
  return `${contextValues.cause} ${name}`;
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
  const isNamedFailure = cause.kind === 'failure' && !cause.isOffline;
  const text = isNamedFailure ? failureText(cause.failure, cause.at, organization) : sentence;
  return causeHover(text, remedyAction(remedy, organization));
}

/** "Check the ID", "Ask for the permission": what helps against a failed read of one deployment. */
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

/**
 * What helps against a problem: "Reconnect Finance Slack", beside it "muted until Friday · with
 * channels:read"; "Grant channels:read", beside it "for notifier".
 */
export function adviceRow(element: ElementOf<'advice'>, context: RowContext): RowContent {
  const { problem, deployment } = element;
  const { memory, now } = context;
  const workingElsewhere = fixSeenElsewhere(problem, deployment, context);
  if (workingElsewhere) return refreshAdviceRow(workingElsewhere);

  const label = adviceLabel(problem);
  const sentence = adviceText(problem);
  const withScopes = withScopesText(problem);
  const forRequirement = forRequirementText(problem);
  const muted = mutedWord(problem, memory, now) ?? changedSinceMutedWord(problem, memory);
  const seenSince = seenSinceText(memory.seenSince(problem), deployment, now);
  return {
    label,
    description: joinWithDots(forRequirement, muted, withScopes),
    icon: adviceIcon,
    spoken: [
      // Voice control takes the words on the screen, so the spoken name begins with them.
      sentence.startsWith(label) ? undefined : label,
      sentence,
      forRequirement,
      muted,
      seenSince,
    ],
    contextValue: menuFor(contextValues.advice, [problem], memory),
  };
}

/**
 * "with channels:read +1", after "Reconnect Finance Slack". Returns `undefined` if the account
 * lacks no scope, and for a requirement, whose label names the scopes.
 */
function withScopesText(problem: Problem): string | undefined {
  if (problem.kind !== 'failedAccount' || problem.scopes.length === 0) return undefined;
  return vscode.l10n.t({
    message: 'with {scopes}',
    args: { scopes: scopesWord(problem.scopes) },
    comment: 'Reconnect it',
  });
}

/** "for notifier", after "Grant channels:read"; `undefined` for an account, and without a name. */
function forRequirementText(problem: Problem): string | undefined {
  if (problem.kind !== 'unsatisfiedRequirement' || !problem.finding.name) return undefined;
  return vscode.l10n.t({
    message: 'for {requirement}',
    args: { requirement: problem.finding.name },
    comment: 'Grant scopes',
  });
}

/**
 * "Refresh this deployment", beside it "Finance Slack works in Lead intake": the advice if another
 * deployment's newer answer shows that the account works. `reading`: that answer.
 */
export function refreshAdviceRow(reading: AccountReading): RowContent {
  const label = vscode.l10n.t('Refresh this deployment');
  const reason = vscode.l10n.t('{account} works in {deployment}', {
    account: accountLabel(reading.finding.account),
    deployment: shortName(reading.deployment),
  });
  return {
    label,
    description: reason,
    icon: adviceIcon,
    spoken: [label, reason],
    contextValue: contextValues.outdated,
  };
}

/** "Look in the dashboard", beside it the names of what the platform leaves open. */
export function unknownRow(
  { findings }: ElementOf<'unknown'>,
  { hasDashboard }: RowContext,
): RowContent {
  const label = unknownAdviceLabel(hasDashboard);
  return {
    label,
    description: nameList(findings, labelWithoutService, maxUnknownNames),
    icon: adviceIcon,
    spoken: [label, ...unknownTexts(findings)],
    contextValue: hasDashboard ? contextValues.advice : contextValues.outdated,
  };
}

const maxUnknownNames = 3;

/**
 * "notifier", "Finance Slack". The finding's own row, which is below, says its service to a screen
 * reader.
 */
function labelWithoutService(finding: Finding): string {
  return 'account' in finding ? accountLabel(finding.account) : requirementLabel(finding);
}

/**
 * "Server error (503). The problem is probably temporary. Try again later. Tried on Nov 20, 2026,
 * 9:14:03 AM GMT+1." and then what the response said. `at`: epoch ms.
 */
function failureText(failure: Failure, at: number, organization: Organization | undefined): string {
  return joinSentences(
    failureWords(failure, organization).sentence,
    vscode.l10n.t('Tried on {time}.', { time: absoluteTime(at) }),
    responseSentence(failure),
  );
}

/** "2 fields unreadable" */
export function unreadableRow({ leftOut }: ElementOf<'unreadable'>): RowContent {
  const label = unreadableFieldsWord(leftOut.decodeIssues.length) ?? '';
  return { label, icon: icon('info', 'problemsInfoIcon.foreground'), spoken: [label] };
}

const maxUnreadableFields = 10;
const maxUnreadableFieldChars = 300;

/**
 * Markdown that counts the fields that could not be read, and has a line for each of the first ten:
 * "accounts[0].label: string expected, number found", never with its value. `undefined` if all
 * could be read.
 */
export function unreadableLines(answer: WithDecodeIssues): string | undefined {
  const word = unreadableFieldsWord(answer.decodeIssues.length);
  if (!word) return undefined;
  const fields = firstWithMore(
    answer.decodeIssues,
    maxUnreadableFields,
    ({ path, expected, found }) =>
      inertMarkdown(
        vscode.l10n.t('{path}: {expected} expected, {found} found', { path, expected, found }),
        maxUnreadableFieldChars,
      ),
  );
  return `${escaped(capitalized(word))}\n\n${bulletList(fields)}`;
}
