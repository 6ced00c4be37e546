import * as vscode from 'vscode';
import type { Failure } from '../api/failure.js';
import type { Action } from '../host/actions.js';
import { requirementIcon, stateIcons } from '../host/icons.js';
import { internalCommandIds } from '../host/ids.js';
import type { Organization } from '../host/organizations/organization.js';
import { causeName } from '../host/text/cause.js';
import { clockSkewText } from '../host/text/clockSkew.js';
import { unreadableFieldsWord } from '../host/text/deployment.js';
import { disputeText } from '../host/text/disputes.js';
import { failureWords, responseSentence } from '../host/text/failure.js';
import {
  capitalized,
  clockTime,
  firstWithMore,
  joinSentences,
  joinWithDots,
  listText,
  numberText,
  relativeTime,
} from '../host/text/format.js';
import { changedSinceMutedText, mutedText } from '../host/text/mutes.js';
import {
  accountLabel,
  adviceText,
  checkedWord,
  errorMessage,
  moreProblemsText,
  neededByText,
  ownerWord,
  problemSentence,
  problemText,
  requirementNote,
  requirementWithService,
  seenSinceText,
  unknownAdviceText,
  unknownText,
  unknownTexts,
} from '../host/text/problem.js';
import { deploymentStateWord, stateWord } from '../host/text/states.js';
import { shortName } from '../model/deploymentNames.js';
import { ownedBy } from '../model/entered/owners.js';
import { type Deployment, isUnreadable } from '../model/findings/deployment.js';
import type {
  AccountFinding,
  Finding,
  Findings,
  Problem,
  RequirementFinding,
} from '../model/findings/findings.js';
import { accountName } from '../model/findings/readings.js';
import { mutedProblems, stateOfFinding, unmutedProblems } from '../model/findings/state.js';
import { isolated, shorten } from '../model/inertText.js';
import { failedAccountOf, fixSeenElsewhere, type HoverContext } from './hoverContext.js';
import {
  boldLink,
  dashboardAndRefreshLinks,
  deploymentLinks,
  findingLinks,
  linkedCommands,
  outageLinks,
  problemLinks,
} from './hoverLinks.js';
import { boldTitle, escaped, fieldsText, grayText, joinLines } from './markdown.js';
import { filesWithMute, muteNoteText, partlyMutedText } from './muteNotes.js';

/** How many problems, and how many disputed accounts, the hover of a deployment describes. */
const maxProblems = 2;
/** How many deployments a line names. */
const maxDeployments = 5;

/** The hover of a deployment, in the tree and in editors. */
export function deploymentHover(
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const { answer, failedRead, id, label = id, group, state } = deployment;
  const name = boldLink(label, internalCommandIds.revealDeployment, id);
  const isRead = answer !== undefined && !isUnreadable(deployment);
  const failure = isUnreadable(deployment) ? failedRead?.failure : undefined;
  const unreadable = answer && unreadableFieldsWord(answer.decodeIssues.length);
  const disputed = context.impact.disputedAccountsIn(id).slice(0, maxProblems);
  return hoverOf(
    firstLine(stateIcons[state], name, label === id ? undefined : id, group),
    outageLine(deployment, context),
    failure && failureLines(failure, context.organization),
    ...worstProblemLines(deployment, context),
    ...disputed.map((accountId) => disputeLine(accountId, context)),
    unreadable && escaped(vscode.l10n.t('{name}.', { name: unreadable })),
    isRead ? unknownFindingsLines(deployment, answer.findings, context) : undefined,
    escaped(stateText(deployment)),
    footer(deploymentLinks(deployment, context), deployment, context),
    answer && grayText(fieldsText(answer.value, ['accounts', 'requirements'])),
  );
}

/** The deployment's worst problems, muted ones last, and a line that counts the others. */
function worstProblemLines(
  deployment: Deployment,
  context: HoverContext,
): readonly (string | undefined)[] {
  const findings = deployment.answer?.findings;
  const counted = unmutedProblems(findings, context.memory);
  const muted = mutedProblems(findings, context.memory);
  const shown = [...counted, ...muted].slice(0, maxProblems);

  const moreCounted = Math.max(0, counted.length - shown.length);
  const moreMuted = counted.length + muted.length - shown.length - moreCounted;
  return [
    ...shown.map((problem) => problemLines(problem, deployment, context)),
    escaped(moreProblemsText(moreCounted, moreMuted)),
  ];
}

/**
 * The hover of a first row, such as that of an outage. Its action may be a command that no other
 * hover links, such as Refresh of all deployments.
 */
export function causeHover(text: string, action: Action | undefined): vscode.MarkdownString {
  const link = action && boldLink(action.title, action.command, ...(action.arguments ?? []));
  const hover = hoverOf(escaped(text), link);
  hover.isTrusted = action ? { enabledCommands: [action.command] } : false;
  return hover;
}

/** The hover of the row that says what helps against a failed read. */
export function failureHover(deployment: Deployment, context: HoverContext): vscode.MarkdownString {
  const { failedRead } = deployment;
  return hoverOf(
    outageLine(deployment, context),
    failedRead && failureLines(failedRead.failure, context.organization),
    footer(deploymentLinks(deployment, context), deployment, context),
  );
}

/** The hover of the row that says what helps where the platform leaves something open. */
export function unknownHover(
  findings: readonly Finding[],
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  return hoverOf(
    outageLine(deployment, context),
    unknownLines(unknownTexts(findings), context),
    footer(dashboardAndRefreshLinks(deployment, context), deployment, context),
  );
}

/**
 * The hover of an account, in the tree and in editors. `deployment`: has the account in its answer.
 */
export function accountHover(
  finding: AccountFinding,
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const { account, problem, state } = finding;
  const { id, label } = account;
  const hasOwnLabel = label !== undefined && label === accountName(account) && label !== id;
  const icon = stateIcons[stateOfFinding(finding, context.memory)];
  const holders = context.impact.deploymentsWith(id);
  const clockSkew =
    deployment.answer && account.checkedAt ? clockSkewText(deployment.answer) : undefined;
  const links = findingLinks(finding, deployment, context);
  const checked = checkedWord(account, deployment, context.now);
  return hoverOf(
    firstLine(icon, boldTitle(accountLabel(account)), hasOwnLabel ? id : undefined),
    outageLine(deployment, context),
    problem && problemLines(problem, deployment, context, holders),
    state === 'unknown' ? unknownLines([unknownText(finding)], context) : undefined,
    state === 'works' ? wordAsSentence(vscode.l10n.t('no error')) : undefined,
    disputeLineIfDisputed(id, context),
    escaped(muteNoteText(finding, deployment, context)),
    escaped(partlyMutedText(finding, context)),
    holdersLine(finding, holders),
    escaped(clockSkew),
    footer(links, deployment, context, checked),
    grayText(fieldsText(account, accountFieldsShown(finding, hasOwnLabel))),
  );
}

/** The fields of the account that its hover shows in other lines. */
function accountFieldsShown(
  { account, name, problem, state }: AccountFinding,
  hasOwnLabel: boolean,
): readonly string[] {
  const shown = ['checkedAt'];
  if (hasOwnLabel) shown.push('label');
  if (hasOwnLabel || name === account.id) shown.push('id');
  if (problem) shown.push('error.code', 'error.message');
  if (problem || state === 'unknown') shown.push('serviceId');
  return shown;
}

/**
 * The hover of a requirement. The rows below it have the hovers of its accounts and connection
 * methods.
 */
export function requirementHover(
  finding: RequirementFinding,
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const { cause, requirement, state } = finding;
  const failedAccount = cause && failedAccountOf(cause);
  return hoverOf(
    firstLine(requirementIcon(finding, context.memory), boldTitle(requirementWithService(finding))),
    outageLine(deployment, context),
    cause && problemLines(cause, deployment, context),
    state === 'unknown' ? unknownLines([unknownText(finding)], context) : undefined,
    state === 'satisfied' ? wordAsSentence(stateWord(state)) : undefined,
    cause ? undefined : escaped(requirementNote(finding)),
    disputeLineIfDisputed(failedAccount?.id, context),
    escaped(muteNoteText(finding, deployment, context)),
    footer(findingLinks(finding, deployment, context), deployment, context),
    grayText(fieldsText(requirement, requirementFieldsShown)),
  );
}

/** The fields of a requirement that its hover shows in other lines, or the rows below it. */
const requirementFieldsShown = [
  'serviceId',
  'binding',
  'satisfied',
  'connections',
  'eligibleAccountIds',
];

/** The hover of the row that says what helps against a problem. */
export function problemHover(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  return hoverOf(
    outageLine(deployment, context),
    problemLines(problem, deployment, context),
    disputeLineIfDisputed(failedAccountOf(problem)?.id, context),
    footer(problemLinks([problem], deployment, context), deployment, context),
  );
}

/** VS Code shows 100,000 characters of a hover. All but the text and the links is short. */
const maxTextAndLinksChars = 90_000;

/**
 * The hover of the row that says what helps against several problems. `text`: Markdown that names
 * them.
 */
export function problemsHover(
  text: string,
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  // Each link except Refresh has the keys of all problems.
  const links = problemLinks(problems, deployment, context);
  const fits = text.length + links.join('').length <= maxTextAndLinksChars;
  const shownLinks = fits ? links : dashboardAndRefreshLinks(deployment, context);
  return hoverOf(
    outageLine(deployment, context),
    `${text}\n`,
    footer(shownLinks, deployment, context),
  );
}

/**
 * Makes a hover of these lines, without the empty ones. Only the extension's own text makes icons,
 * links, and colors: text of the platform and of settings is escaped.
 */
function hoverOf(...markdownLines: readonly (string | undefined)[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(joinLines(...markdownLines), true);
  hover.supportHtml = true;
  hover.isTrusted = { enabledCommands: linkedCommands };
  return hover;
}

/**
 * "$(error) **Billing sync** · dep_7f3a91c2 · payments". `name`: Markdown; the details are texts
 * that are escaped here.
 */
function firstLine(
  icon: vscode.ThemeIcon,
  name: string,
  ...details: readonly (string | undefined)[]
): string {
  const escapedDetails = details.map((detail) => isolated(escaped(detail) ?? ''));
  return `$(${icon.id}) ${joinWithDots(name, ...escapedDetails)}`;
}

/**
 * What the problem is, what helps, and which other deployments it affects. `holders`: in the hover
 * of an account, the deployments that have it, which another line of that hover names.
 */
function problemLines(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders?: readonly Deployment[],
): string {
  const isShownByEditor = context.isShownByEditor?.(problem) === true;
  const accountId = failedAccountOf(problem)?.id;
  const affected = holders ? [] : alsoAffected(accountId, deployment, context);
  return joinLines(
    escaped(causeText(problem, isShownByEditor)),
    `$(lightbulb) ${escaped(helpWithOwner(problem, deployment, context, holders))}`,
    deploymentsLine(affected, (deployments) =>
      vscode.l10n.t('Also affects {deployments}.', { deployments }),
    ),
  );
}

/**
 * The other deployments that need the failed account; if no deployment needs it, this one included,
 * the others where it has failed.
 */
function alsoAffected(
  accountId: string | undefined,
  { id }: Deployment,
  { impact }: HoverContext,
): readonly Deployment[] {
  const holders = impact.deploymentsWith(accountId);
  const holdersInNeed = holdersThatNeed(accountId, holders);
  const affected =
    holdersInNeed.length > 0 ? holdersInNeed : holdersWhereFailed(accountId, holders);
  return affected.filter((holder) => holder.id !== id);
}

/**
 * The deployments where the account has failed and an unsatisfied requirement is bound to it, each
 * by its own last answer.
 */
function holdersThatNeed(
  accountId: string | undefined,
  holders: readonly Deployment[],
): readonly Deployment[] {
  const failed = holdersWhereFailed(accountId, holders);
  return failed.filter(({ answer }) =>
    answer?.findings.hasUnsatisfiedRequirementOf(accountId ?? ''),
  );
}

/**
 * The deployments where the account has failed, each by its own last answer. Leaves out unreadable
 * ones, whose last answer may no longer be true.
 */
function holdersWhereFailed(
  accountId: string | undefined,
  holders: readonly Deployment[],
): readonly Deployment[] {
  return holders.filter((holder) => {
    const account = holder.answer?.findings.accountsById.get(accountId ?? '');
    return !isUnreadable(holder) && account?.problem !== undefined;
  });
}

/**
 * "In Billing sync, Lead intake."; for a failed account that requirements need, "Needed by Billing
 * sync, Lead intake." or "Needed by 5 of 6 deployments: Billing sync, …". Each name is a link.
 * `holders`: the deployments that have the account. Returns `undefined` without holders.
 */
function holdersLine(
  { account, problem }: AccountFinding,
  holders: readonly Deployment[],
): string | undefined {
  const holdersInNeed = problem ? holdersThatNeed(account.id, holders) : [];
  if (holdersInNeed.length === 0) {
    return deploymentsLine(holders, (deployments) =>
      vscode.l10n.t({
        message: 'In {deployments}.',
        args: { deployments },
        comment: 'Where it is used',
      }),
    );
  }
  if (holdersInNeed.length === holders.length) {
    return deploymentsLine(holdersInNeed, (deployments) =>
      vscode.l10n.t('Needed by {deployments}.', { deployments }),
    );
  }
  const count = numberText(holdersInNeed.length);
  const total = numberText(holders.length);
  return deploymentsLine(holdersInNeed, (deployments) =>
    vscode.l10n.t('Needed by {count} of {total} deployments: {deployments}.', {
      count,
      total,
      deployments,
    }),
  );
}

/** Returns `undefined` unless the last answers of the deployments disagree about the account. */
function disputeLineIfDisputed(
  accountId: string | undefined,
  context: HoverContext,
): string | undefined {
  if (accountId === undefined || !context.impact.isDisputed(accountId)) return undefined;
  return disputeLine(accountId, context);
}

/**
 * "Finance Slack works in Billing sync as of 9:02 PM. Finance Slack failed in Invoices as of 8:44
 * PM."
 */
function disputeLine(accountId: string, { impact, now }: HoverContext): string | undefined {
  return escaped(disputeText(accountId, impact.deploymentsWith(accountId), now));
}

/**
 * "Finance Slack (slack) failed: token_revoked – “The token was revoked”". Of a problem whose
 * diagnostic VS Code shows, only the platform's message in quotation marks, which a diagnostic with
 * a code leaves out; '' without a message, and without a code.
 */
function causeText(problem: Problem, isShownByEditor: boolean): string {
  const account = failedAccountOf(problem);
  const message = account?.error?.code ? errorMessage(account) : '';
  if (message === '') return isShownByEditor ? '' : problemSentence(problem);
  if (isShownByEditor) {
    return vscode.l10n.t({ message: '“{message}”', args: { message }, comment: 'Quotation' });
  }
  return vscode.l10n.t('{problem} – “{message}”', { problem: problemText(problem), message });
}

/** "Reconnect Finance Slack (slack). notifier needs it. Seen since 9:14 AM. Owner: Maria" */
export function helpWithOwner(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders: readonly Deployment[] = [deployment],
): string {
  const owner = ownerWord(context.owners.ownerOf(ownedBy(problem, deployment.id)));
  return joinSentences(helpText(problem, deployment, context, holders), owner);
}

/** "Reconnect Finance Slack (slack). notifier needs it. Seen since 9:14 AM." */
function helpText(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders: readonly Deployment[],
): string {
  const { memory, now } = context;
  const isFixedElsewhere = fixSeenElsewhere(problem, deployment, context) !== undefined;
  const step = isFixedElsewhere
    ? vscode.l10n.t('Refresh to see whether this is fixed here, too.')
    : adviceText(problem);
  const effects =
    problem.kind === 'failedAccount'
      ? holders.flatMap(({ answer }) => answer?.findings.effectsOf(problem) ?? [])
      : [];
  const notifying = memory.notifies(problem)
    ? vscode.l10n.t('You will be notified when the problem is fixed.')
    : undefined;
  return joinSentences(
    step,
    neededByText(effects),
    mutedText(problem, context, () => filesWithMute(problem, context)) ??
      changedSinceMutedText(problem, memory),
    notifying,
    seenSinceText(memory.seenSince(problem), deployment, now),
  );
}

/** "Unreachable (TLS). Read as of 8:30 PM."; `undefined` without an outage. */
function outageLine({ answer }: Deployment, { cause, now }: HoverContext): string | undefined {
  if (cause?.kind !== 'failure') return undefined;
  const name = vscode.l10n.t('{name}.', { name: causeName(cause, now) });
  const asOf = answer && vscode.l10n.t('Read as of {time}.', { time: clockTime(answer.asOf, now) });
  return escaped(joinSentences(name, asOf));
}

/**
 * What is unknown, and what helps. A deployment can be unknown without an unknown finding, because
 * a part of its answer could not be read: then only what helps. `undefined` if nothing is unknown.
 */
function unknownFindingsLines(
  { state }: Deployment,
  { unknownFindings }: Findings,
  context: HoverContext,
): string | undefined {
  if (unknownFindings.length === 0 && state !== 'unknown') return undefined;
  return unknownLines(unknownTexts(unknownFindings), context);
}

/**
 * The sentences, and below them "Look in the dashboard."; in an outage its own links help first.
 */
function unknownLines(texts: readonly string[], { cause, hasDashboard }: HoverContext): string {
  const text = escaped(joinSentences(...texts));
  if (cause?.kind === 'failure') return joinLines(text);
  return joinLines(text, `$(lightbulb) ${escaped(unknownAdviceText(hasDashboard))}`);
}

/**
 * "Healthy. All requirements are satisfied.", "Not read yet."; `undefined` in a state that other
 * lines say.
 */
function stateText({ state, answer }: Deployment): string | undefined {
  if (state === 'notYetRead')
    return vscode.l10n.t('{state}.', { state: capitalized(stateWord(state)) });
  if (state !== 'satisfied') return undefined;
  const hasRequirements = answer !== undefined && answer.value.requirements.length > 0;
  return joinSentences(
    vscode.l10n.t('{state}.', { state: capitalized(deploymentStateWord(state)) }),
    hasRequirements
      ? vscode.l10n.t('All requirements are satisfied.')
      : vscode.l10n.t('The deployment has no requirements.'),
  );
}

/** "Satisfied.", so that the icon is not the only sign of the state. */
function wordAsSentence(word: string): string | undefined {
  return escaped(vscode.l10n.t('{state}.', { state: capitalized(word) }));
}

/**
 * What failed, what it probably means, and what the response said; what helps; and what speaks
 * against the platform having sent the answer.
 */
function failureLines(failure: Failure, organization: Organization | undefined): string {
  const { name, meaning, next, doubt } = failureWords(failure, organization);
  const cause = escaped(joinSentences(name, meaning, responseSentence(failure)));
  return joinLines(cause, next && `$(lightbulb) ${escaped(next)}`, escaped(doubt));
}

/**
 * Returns a sentence that names the first of these deployments, each as a link to its row;
 * `undefined` if there are none. `write` puts their names into the sentence.
 */
function deploymentsLine(
  deployments: readonly Deployment[],
  write: (names: string) => string,
): string | undefined {
  if (deployments.length === 0) return undefined;
  const links = firstWithMore(deployments, maxDeployments, (deployment) =>
    boldLink(shortName(deployment), internalCommandIds.revealDeployment, deployment.id),
  );
  // The sentence is escaped, and the links are not: a placeholder marks where they go.
  const placeholder = '{}';
  const sentence = escaped(write(placeholder));
  return sentence?.replace(escaped(placeholder)!, () => listText(links));
}

/**
 * "Open in Dashboard · Refresh · reported by the platform, read 4 minutes ago": the links, and then
 * in gray when the data was read. `checked`: "checked 3 hours ago", of an account.
 */
function footer(
  links: readonly string[],
  { answer, failedRead }: Deployment,
  context: HoverContext,
  checked?: string,
): string {
  const { cause, isOneOfSeveral, now, organization } = context;
  const tried =
    failedRead && vscode.l10n.t('tried {time}', { time: relativeTime(failedRead.at, now) });
  // In an outage another line says as of when the data was read. Without "reported by the platform"
  // a hover in an editor would seem to be about the file.
  const isOutage = cause?.kind === 'failure';
  const read =
    isOutage || answer === undefined
      ? undefined
      : vscode.l10n.t('reported by the platform, read {time}', {
          time: relativeTime(answer.asOf, now),
        });
  const name = isOneOfSeveral && organization ? shorten(organization.name) : undefined;
  const facts = grayText(escaped(joinWithDots(tried, read, checked, name)));

  // The link against the outage may be one of the deployment's links.
  const distinctLinks = new Set([...outageLinks(context), ...links]);
  return [...distinctLinks, ...(facts ? [facts] : [])].join(' · ');
}
