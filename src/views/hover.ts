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
import {
  accountLabel,
  adviceText,
  checkedWord,
  errorMessage,
  moreProblemsText,
  mutedText,
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
import { countedProblems, mutedProblems, stateOfFinding } from '../model/findings/state.js';
import { shorten } from '../model/inertText.js';
import { failedAccountOf, fixSeenElsewhere, type HoverContext } from './hoverContext.js';
import {
  deploymentLinks,
  findingLinks,
  link,
  linkedCommands,
  outageLinks,
  problemLinks,
  readLinks,
} from './hoverLinks.js';
import { escaped, fields, gray, lines, title } from './markdown.js';

const maxProblems = 2;
const maxDeployments = 5;

export function deploymentHover(
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const { answer, failedRead, id, label = id, state } = deployment;
  const counted = countedProblems(answer?.findings, context.memory);
  const muted = mutedProblems(answer?.findings, context.memory);
  const shown = [...counted, ...muted].slice(0, maxProblems);
  const moreCounted = Math.max(0, counted.length - shown.length);
  const moreMuted = counted.length + muted.length - shown.length - moreCounted;
  const unreadable = answer && unreadableFieldsWord(answer.decodeIssues.length);
  return hoverOf(
    firstLine(
      stateIcons[state],
      link(label, internalCommandIds.revealDeployment, id),
      label === id ? undefined : id,
    ),
    outageLine(deployment, context),
    failedRead &&
      isUnreadable(deployment) &&
      failureLines(failedRead.failure, context.organization),
    ...shown.map((problem) => problemLines(problem, deployment, context)),
    escaped(moreProblemsText(moreCounted, moreMuted)),
    ...context.impact
      .disputedIn(id)
      .slice(0, maxProblems)
      .map((account) => disputeLine(account, context)),
    unreadable && escaped(vscode.l10n.t('{name}.', { name: unreadable })),
    answer && !isUnreadable(deployment) && unknownOf(deployment, answer.findings, context),
    escaped(wellText(deployment)),
    footer(deploymentLinks(deployment, context), deployment, context),
    answer && gray(fields(answer.value, ['accounts', 'requirements'])),
  );
}

/**
 * Of the first row. Its step may be a command that no other hover links, as to read all deployments
 * again.
 */
export function causeHover(text: string, action: Action | undefined): vscode.MarkdownString {
  const hover = hoverOf(
    escaped(text),
    action && link(action.title, action.command, ...(action.arguments ?? [])),
  );
  hover.isTrusted = action ? { enabledCommands: [action.command] } : false;
  return hover;
}

/** Of the row that says what helps against a failed read. */
export function failureHover(deployment: Deployment, context: HoverContext): vscode.MarkdownString {
  const { failedRead } = deployment;
  return hoverOf(
    outageLine(deployment, context),
    failedRead && failureLines(failedRead.failure, context.organization),
    footer(deploymentLinks(deployment, context), deployment, context),
  );
}

/** Of the row that says what helps where the platform leaves something open. */
export function unknownHover(
  findings: readonly Finding[],
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  return hoverOf(
    outageLine(deployment, context),
    unknownLines(unknownTexts(findings), context),
    footer(readLinks(deployment, context), deployment, context),
  );
}

export function accountHover(
  finding: AccountFinding,
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const { account, problem, name, state } = finding;
  const { id, label } = account;
  const holders = context.impact.deploymentsWith(id);
  const isLabelled = label !== undefined && label === accountName(account) && label !== id;
  const said = [
    isLabelled ? 'label' : '',
    isLabelled || name === id ? 'id' : '',
    'checkedAt',
    ...(problem ? ['error.code', 'error.message'] : []),
    ...(problem || state === 'unknown' ? ['serviceId'] : []),
  ];
  return hoverOf(
    firstLine(
      stateIcons[stateOfFinding(finding, context.memory)],
      title(accountLabel(account)),
      isLabelled ? id : undefined,
    ),
    outageLine(deployment, context),
    problem ? problemLines(problem, deployment, context, holders) : undefined,
    state === 'unknown' && unknownLines([unknownText(finding)], context),
    state === 'satisfied' && stateSentence(vscode.l10n.t('no error')),
    disputeOf(id, context),
    holdersLine(finding, holders),
    deployment.answer && account.checkedAt && escaped(clockSkewText(deployment.answer)),
    footer(
      findingLinks(finding, deployment, context),
      deployment,
      context,
      checkedWord(account, deployment, context.now),
    ),
    gray(fields(account, said)),
  );
}

/** Of a requirement: its title says name and service, and the rows below it the accounts and connection methods. */
export function requirementHover(
  finding: RequirementFinding,
  deployment: Deployment,
  context: HoverContext,
) {
  const { cause, requirement, state } = finding;
  return hoverOf(
    firstLine(requirementIcon(finding, context.memory), title(requirementWithService(finding))),
    outageLine(deployment, context),
    cause && problemLines(cause, deployment, context),
    state === 'unknown' && unknownLines([unknownText(finding)], context),
    state === 'satisfied' && stateSentence(stateWord(state)),
    !cause && escaped(requirementNote(finding)),
    disputeOf(cause && failedAccountOf(cause)?.id, context),
    footer(findingLinks(finding, deployment, context), deployment, context),
    gray(
      fields(requirement, [
        'serviceId',
        'binding',
        'satisfied',
        'connections',
        'eligibleAccountIds',
      ]),
    ),
  );
}

export function problemHover(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  return hoverOf(
    outageLine(deployment, context),
    problemLines(problem, deployment, context),
    disputeOf(failedAccountOf(problem)?.id, context),
    footer(problemLinks([problem], deployment, context), deployment, context),
  );
}

/** VS Code shows 100,000 characters of a hover. What stands beside the text and the links is short. */
const maxHoverChars = 90_000;

/** `text`: Markdown that names the problems. */
export function problemsHover(
  text: string,
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  // Each link holds the keys of all problems.
  const links = problemLinks(problems, deployment, context);
  const isShown = text.length + links.join('').length <= maxHoverChars;
  return hoverOf(
    outageLine(deployment, context),
    `${text}\n`,
    footer(isShown ? links : readLinks(deployment, context), deployment, context),
  );
}

/** Our own text alone makes icons, links and color: text of the platform and of settings is inert. */
function hoverOf(...texts: readonly (string | false | undefined)[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(lines(...texts), true);
  hover.supportHtml = true;
  hover.isTrusted = { enabledCommands: linkedCommands };
  return hover;
}

function firstLine(icon: vscode.ThemeIcon, name: string, id?: string): string {
  return `$(${icon.id}) ${joinWithDots(name, escaped(id))}`;
}

/** The cause, what to do, and where else. `holders`: the deployments that have the account of this hover. */
function problemLines(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders?: readonly Deployment[],
): string {
  const { isShownByEditor } = context;
  const account = failedAccountOf(problem);
  const others = holders ? [] : alsoAffected(account?.id, deployment, context);
  return lines(
    escaped(causeText(problem, isShownByEditor?.(problem) === true)),
    `$(lightbulb) ${escaped(helpWithOwner(problem, deployment, context, holders))}`,
    deploymentsLine(vscode.l10n.t('Also affects {deployments}.', { deployments: '{}' }), others),
  );
}

/** The other deployments that need the failed account; if none needs it, those that have it. */
function alsoAffected(
  accountId: string | undefined,
  { id }: Deployment,
  { impact }: HoverContext,
): readonly Deployment[] {
  const holders = impact.deploymentsWith(accountId);
  const stopped = stoppedBy(accountId, holders);
  return (stopped.length > 0 ? stopped : failedIn(accountId, holders)).filter(
    (holder) => holder.id !== id,
  );
}

/** Those where a requirement needs the failed account, each by its own last answer. */
function stoppedBy(
  accountId: string | undefined,
  holders: readonly Deployment[],
): readonly Deployment[] {
  return failedIn(accountId, holders).filter(({ answer }) =>
    answer?.findings.isStoppedBy(accountId ?? ''),
  );
}

/** None whose last read failed, of which nothing is claimed. */
function failedIn(
  accountId: string | undefined,
  holders: readonly Deployment[],
): readonly Deployment[] {
  const known = holders.filter((holder) => !isUnreadable(holder));
  return known.filter(
    ({ answer }) => answer?.findings.accountsById.get(accountId ?? '')?.problem !== undefined,
  );
}

/** "In Billing sync, Lead intake."; of a failed account "Needed by 5 of 6 deployments: Billing sync, …" */
function holdersLine(
  { account, problem }: AccountFinding,
  holders: readonly Deployment[],
): string | undefined {
  const stopped = problem ? stoppedBy(account.id, holders) : [];
  const words = {
    count: numberText(stopped.length),
    total: numberText(holders.length),
    // Where the links go.
    deployments: '{}',
  };
  if (stopped.length === 0) {
    const text = vscode.l10n.t({
      message: 'In {deployments}.',
      args: words,
      comment: 'Where it is used',
    });
    return deploymentsLine(text, holders);
  }
  const needed =
    stopped.length === holders.length
      ? vscode.l10n.t('Needed by {deployments}.', words)
      : vscode.l10n.t('Needed by {count} of {total} deployments: {deployments}.', words);
  return deploymentsLine(needed, stopped);
}

/** Where an account works and where it has failed, if the last answers of the deployments do not agree. */
function disputeOf(accountId: string | undefined, context: HoverContext): string | undefined {
  const isDisputed = accountId !== undefined && context.impact.isDisputed(accountId);
  return isDisputed ? disputeLine(accountId, context) : undefined;
}

function disputeLine(accountId: string, { impact, now }: HoverContext): string | undefined {
  return escaped(disputeText(accountId, impact.deploymentsWith(accountId), now));
}

/** Of a problem that VS Code shows itself no more than the platform's own words, which its diagnostic has no room for. */
function causeText(problem: Problem, isShownByEditor: boolean): string {
  const account = failedAccountOf(problem);
  const message = account?.error?.code ? errorMessage(account) : '';
  if (isShownByEditor)
    return (
      message && vscode.l10n.t({ message: '“{message}”', args: { message }, comment: 'Quotation' })
    );
  return message
    ? vscode.l10n.t('{problem} – “{message}”', { problem: problemText(problem), message })
    : problemSentence(problem);
}

/** "Reconnect Finance Slack (slack). notifier needs it. Seen since 9:14 AM. Owner: Maria" */
export function helpWithOwner(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders: readonly Deployment[] = [deployment],
): string {
  const owner = ownerWord(context.owners.of(ownedBy(problem, deployment.id)));
  return joinSentences(helpText(problem, deployment, context, holders), owner);
}

function helpText(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders: readonly Deployment[],
): string {
  const { memory, now } = context;
  const isFixedElsewhere = fixSeenElsewhere(problem, deployment, context) !== undefined;
  const effects =
    problem.kind === 'failedAccount'
      ? holders.flatMap(({ answer }) => answer?.findings.effectsOf(problem) ?? [])
      : [];
  return joinSentences(
    isFixedElsewhere
      ? vscode.l10n.t('Refresh to see whether this is fixed here, too.')
      : adviceText(problem),
    neededByText(effects),
    mutedText(problem, memory, now),
    memory.notifies(problem)
      ? vscode.l10n.t('You will be notified when the problem is fixed.')
      : undefined,
    seenSinceText(memory.seenSince(problem), deployment, now),
  );
}

/** "Unreachable (TLS). Read as of 8:30 PM.", while nothing can be read. */
function outageLine({ answer }: Deployment, { cause, now }: HoverContext): string | undefined {
  if (cause?.kind !== 'failure') return undefined;
  const name = vscode.l10n.t('{name}.', { name: causeName(cause, now) });
  const asOf = answer && vscode.l10n.t('Read as of {time}.', { time: clockTime(answer.asOf, now) });
  return escaped(joinSentences(name, asOf));
}

/**
 * Of an unknown deployment it says what helps also if no single finding is unknown: a part may not
 * have been readable.
 */
function unknownOf(
  { state }: Deployment,
  { unknown }: Findings,
  context: HoverContext,
): string | undefined {
  if (unknown.length === 0 && state !== 'unknown') return undefined;
  return unknownLines(unknownTexts(unknown), context);
}

/** With what helps. */
function unknownLines(texts: readonly string[], { cause, hasDashboard }: HoverContext): string {
  const text = escaped(joinSentences(...texts));
  // The link of the outage helps first.
  if (cause?.kind === 'failure') return lines(text);
  return lines(text, `$(lightbulb) ${escaped(unknownAdviceText(hasDashboard))}`);
}

/** "Healthy. All requirements are satisfied."; `undefined` of one whose state other lines say. */
function wellText({ state, answer }: Deployment): string | undefined {
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

/** "Satisfied.", so that no icon speaks alone. */
function stateSentence(word: string): string | undefined {
  return escaped(vscode.l10n.t('{state}.', { state: capitalized(word) }));
}

function failureLines(failure: Failure, organization: Organization | undefined): string {
  const { name, means, next, doubt } = failureWords(failure, organization);
  const cause = escaped(joinSentences(name, means, responseSentence(failure)));
  return lines(cause, next && `$(lightbulb) ${escaped(next)}`, escaped(doubt));
}

/** `sentence`: with {} where the names go, each a link to its row. */
function deploymentsLine(sentence: string, deployments: readonly Deployment[]): string | undefined {
  if (deployments.length === 0) return undefined;
  const links = firstWithMore(deployments, maxDeployments, (one) =>
    link(shortName(one), internalCommandIds.revealDeployment, one.id),
  );
  const marker = escaped('{}')!;
  return escaped(sentence)?.replace(marker, () => listText(links));
}

function footer(
  links: readonly string[],
  { answer, failedRead }: Deployment,
  context: HoverContext,
  checked?: string,
): string {
  const { cause, isOneOfSeveral, now, organization } = context;
  const tried =
    failedRead && vscode.l10n.t('tried {time}', { time: relativeTime(failedRead.at, now) });
  // While nothing can be read, another line says as of when it was read.
  const isNow = cause?.kind !== 'failure' && answer !== undefined;
  // In an editor it would else seem to be about the file.
  const read = isNow
    ? vscode.l10n.t('reported by the platform, read {time}', {
        time: relativeTime(answer.asOf, now),
      })
    : undefined;
  const name = isOneOfSeveral && organization ? shorten(organization.name) : undefined;
  const facts = gray(escaped(joinWithDots(tried, read, checked, name)));
  const all = new Set([...outageLinks(context), ...links, ...(facts ? [facts] : [])]);
  return [...all].join(' · ');
}
