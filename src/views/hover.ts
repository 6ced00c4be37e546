import * as vscode from 'vscode';
import type { Account } from '../api/authorization.js';
import { isReadWhole } from '../api/decode.js';
import { requirementIcon, stateIcons } from '../host/icons.js';
import { commandIds, internalCommandIds } from '../host/ids.js';
import type { Owners } from '../host/list/owners.js';
import type { Organization } from '../host/organizations/organization.js';
import { clockSkewText } from '../host/text/clockSkew.js';
import { unreadableWord } from '../host/text/deployment.js';
import { disputeText } from '../host/text/disputes.js';
import { failureWords, responseText } from '../host/text/failure.js';
import { firstOf, heading, listText, numberText, parts, relativeTime, sentences } from '../host/text/format.js';
import {
  accountLabel,
  checkedWord,
  effectsText,
  errorMessage,
  findingLabel,
  moreProblems,
  mutedText,
  nameList,
  ownerWord,
  problemAdvice,
  problemMessage,
  problemText,
  requirementLabel,
  requirementNote,
  seenText,
} from '../host/text/problem.js';
import { stateWord } from '../host/text/states.js';
import { shortName } from '../model/deploymentNames.js';
import { ownedBy } from '../model/entered/owners.js';
import type { AccountReading } from '../model/findings/accountReadings.js';
import { type Deployment, isDenied, isUnreadable } from '../model/findings/deployment.js';
import type { AccountFinding, Findings, Problem, RequirementFinding } from '../model/findings/findings.js';
import { accountName } from '../model/findings/readings.js';
import {
  countedProblems,
  type Mutes,
  mutedProblems,
  type Remembered,
  stateOfFinding,
} from '../model/findings/state.js';
import { shorten } from '../model/inertText.js';
import type { Impact } from '../model/problems/impact.js';
import { commandLink, escaped, fields, gray, lines, title } from './markdown.js';

export interface HoverContext {
  readonly organization: Organization | undefined;
  readonly now: number;
  readonly impact: Pick<Impact, 'deploymentsWith' | 'disputedIn' | 'fixSeenElsewhere' | 'isDisputed'>;
  readonly memory: Remembered;
  readonly owners: Pick<Owners, 'of'>;
  readonly hasDashboard: boolean;
  /** In an editor: whether VS Code shows the problem itself, above the hover. */
  readonly isPublished?: (problem: Problem) => boolean;
}

const maxProblems = 2;
const maxDeployments = 5;

export function deploymentHover(deployment: Deployment, context: HoverContext): vscode.MarkdownString {
  const { answer, failure, id, label = id, state } = deployment;
  const all = countedThenMuted(answer?.findings, context.memory);
  const shown = all.slice(0, maxProblems);
  const unknown = isUnreadable(deployment) ? [] : (answer?.findings.unknown ?? []);
  const unreadable = answer && unreadableWord(answer.decodeIssues.length);
  return hoverOf(
    firstLine(stateIcons[state], link(label, internalCommandIds.revealDeployment, id), label === id ? undefined : id),
    // What holds for all deployments stands in the view's first row.
    failure && isUnreadable(deployment) && failureLines(failure.failure, context.organization),
    ...shown.map((problem) => problemLines(problem, deployment, context)),
    escaped(moreProblems(all.length - shown.length)),
    ...context.impact
      .disputedIn(id)
      .slice(0, maxProblems)
      .map((account) => disputeLine(account, context)),
    unknown.length > 0 &&
      escaped(vscode.l10n.t('Unknown: {names}.', { names: nameList(unknown, findingLabel, maxDeployments) })),
    unreadable && escaped(vscode.l10n.t('{name}.', { name: unreadable })),
    footer(linksOf(deployment, context), deployment, context),
    answer && gray(fields(answer.value, ['accounts', 'requirements'])),
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
    ...(problem ? ['serviceId', 'error.code', 'error.message'] : []),
  ];
  return hoverOf(
    firstLine(
      stateIcons[stateOfFinding(finding, context.memory)],
      title(accountLabel(account)),
      isLabelled ? id : undefined,
    ),
    problem ? problemLines(problem, deployment, context, holders) : undefined,
    state === 'unknown' && escaped(vscode.l10n.t('{state}.', { state: heading(unreadWord()) })),
    disputeOf(id, context),
    holdersLine(finding, holders),
    deployment.answer && account.checkedAt && escaped(clockSkewText(deployment.answer)),
    footer(
      problem ? problemLinks([problem], deployment, context) : [],
      deployment,
      context,
      checkedWord(account, deployment, context.now),
    ),
    gray(fields(account, said)),
  );
}

/** Of a requirement: its title says name and service, and the rows below it the accounts and connection methods. */
export function requirementHover(finding: RequirementFinding, deployment: Deployment, context: HoverContext) {
  const { cause, requirement, state } = finding;
  const unknown = isReadWhole(requirement, 'satisfied')
    ? vscode.l10n.t('unknown: the platform did not say')
    : unreadWord();
  const word = state === 'unknown' ? unknown : stateWord(state);
  return hoverOf(
    firstLine(requirementIcon(finding, context.memory), title(requirementLabel(finding))),
    cause
      ? problemLines(cause, deployment, context)
      : escaped(sentences(vscode.l10n.t('{state}.', { state: heading(word) }), requirementNote(finding))),
    disputeOf(cause && failedAccountOf(cause)?.id, context),
    footer(cause ? problemLinks([cause], deployment, context) : [], deployment, context),
    gray(fields(requirement, ['serviceId', 'binding', 'satisfied', 'connections', 'eligibleAccountIds'])),
  );
}

/** Of an account or a requirement whose state the platform sent in another form than it should. */
function unreadWord(): string {
  return vscode.l10n.t('unknown: what the platform said could not be read');
}

export function problemHover(problem: Problem, deployment: Deployment, context: HoverContext): vscode.MarkdownString {
  return hoverOf(
    problemLines(problem, deployment, context),
    disputeOf(failedAccountOf(problem)?.id, context),
    footer(problemLinks([problem], deployment, context), deployment, context),
  );
}

/** A link holds the keys of its problems. Those of so many would be longer than what VS Code shows of a hover. */
const maxLinkedProblems = 100;

/** `text`: Markdown that names the problems. */
export function problemsHover(
  text: string,
  problems: readonly Problem[],
  deployment: Deployment,
  context: HoverContext,
): vscode.MarkdownString {
  const links = problems.length > maxLinkedProblems ? [] : problemLinks(problems, deployment, context);
  return hoverOf(`${text}\n`, footer(links, deployment, context));
}

/** Our own text alone makes icons, links and color: text of the platform and of settings is inert. */
function hoverOf(...texts: readonly (string | false | undefined)[]): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(lines(...texts), true);
  hover.supportHtml = true;
  hover.isTrusted = { enabledCommands: linkedCommands };
  return hover;
}

const linkedCommands = [
  internalCommandIds.revealDeployment,
  commandIds.openInDashboard,
  commandIds.copyRequest,
  commandIds.notifyWhenFixed,
  commandIds.stopNotifying,
  commandIds.muteProblem,
  commandIds.unmuteProblem,
  commandIds.refreshDeployment,
];

/** Bold, because in several themes the color alone does not set a link off from the text around it. */
function link(words: string, command: string, argument: unknown): string {
  return `**${commandLink(words, command, argument)}**`;
}

function firstLine(icon: vscode.ThemeIcon, name: string, id?: string): string {
  return `$(${icon.id}) ${parts(name, escaped(id))}`;
}

/** The cause, what to do, and where else. `holders`: the deployments that have the account of this hover. */
function problemLines(
  problem: Problem,
  deployment: Deployment,
  context: HoverContext,
  holders?: readonly Deployment[],
): string {
  const { isPublished, owners } = context;
  const account = failedAccountOf(problem);
  const owner = ownerWord(owners.of(ownedBy(problem, deployment.id)));
  const others = holders ? [] : alsoAffected(account?.id, deployment, context);
  return lines(
    escaped(causeText(problem, isPublished?.(problem) === true)),
    `$(lightbulb) ${escaped(sentences(helpText(problem, deployment, context, holders ?? [deployment]), owner))}`,
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
  return (stopped.length > 0 ? stopped : failedIn(accountId, holders)).filter((holder) => holder.id !== id);
}

/** Those where a requirement needs the failed account, each by its own last answer. */
function stoppedBy(accountId: string | undefined, holders: readonly Deployment[]): readonly Deployment[] {
  return failedIn(accountId, holders).filter(({ answer }) => answer?.findings.isStoppedBy(accountId ?? ''));
}

/** None whose last read failed, of which nothing is claimed. */
function failedIn(accountId: string | undefined, holders: readonly Deployment[]): readonly Deployment[] {
  const known = holders.filter((holder) => !isUnreadable(holder));
  return known.filter(({ answer }) => answer?.findings.accountsById.get(accountId ?? '')?.problem !== undefined);
}

/** "In Billing sync, Lead intake."; of a failed account "Needed by 5 of 6 deployments: Billing sync, …" */
function holdersLine({ account, problem }: AccountFinding, holders: readonly Deployment[]): string | undefined {
  const stopped = problem ? stoppedBy(account.id, holders) : [];
  const words = {
    count: numberText(stopped.length),
    total: numberText(holders.length),
    // Where the links go.
    deployments: '{}',
  };
  if (stopped.length === 0) {
    const text = vscode.l10n.t({ message: 'In {deployments}.', args: words, comment: 'Where it is used' });
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

/** The newest answer about the failed account, if that says that it works. */
export function fixSeenElsewhere(
  problem: Problem,
  { id }: Deployment,
  { impact }: HoverContext,
): AccountReading | undefined {
  return impact.fixSeenElsewhere(id, failedAccountOf(problem)?.id);
}

function failedAccountOf(problem: Problem): Account | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account : undefined;
}

/** Of a problem that VS Code shows itself no more than the platform's own words, which its diagnostic has no room for. */
function causeText(problem: Problem, isPublished: boolean): string {
  const account = failedAccountOf(problem);
  const message = account?.error?.code ? errorMessage(account) : '';
  if (isPublished) return message && vscode.l10n.t({ message: '“{message}”', args: { message }, comment: 'Quotation' });
  return message
    ? vscode.l10n.t('{problem} – “{message}”', { problem: problemText(problem), message })
    : problemMessage(problem);
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
    problem.kind === 'failedAccount' ? holders.flatMap(({ answer }) => answer?.findings.effectsOf(problem) ?? []) : [];
  return sentences(
    isFixedElsewhere ? vscode.l10n.t('Refresh to see whether this is fixed here, too.') : problemAdvice(problem),
    effectsText(effects),
    mutedText(problem, memory, now),
    memory.notifies(problem) ? vscode.l10n.t('You will be notified when the problem is fixed.') : undefined,
    seenText(memory.seenSince(problem), deployment, now),
  );
}

function failureLines(failure: NonNullable<Deployment['failure']>['failure'], organization: Organization | undefined) {
  const { name, means, next, doubt } = failureWords(failure, organization);
  const cause = escaped(sentences(name, means, responseText(failure)));
  return lines(cause, next && `$(lightbulb) ${escaped(next)}`, escaped(doubt));
}

/** `sentence`: with {} where the names go, each a link to its row. */
function deploymentsLine(sentence: string, deployments: readonly Deployment[]): string | undefined {
  if (deployments.length === 0) return undefined;
  const links = firstOf(deployments, maxDeployments, (one) =>
    link(shortName(one), internalCommandIds.revealDeployment, one.id),
  );
  const marker = escaped('{}')!;
  return escaped(sentence)?.replace(marker, () => listText(links));
}

function countedThenMuted(findings: Findings | undefined, memory: Mutes): readonly Problem[] {
  return [...countedProblems(findings, memory), ...mutedProblems(findings, memory)];
}

function linksOf(deployment: Deployment, context: HoverContext): readonly string[] {
  const { id, answer } = deployment;
  const { hasDashboard, memory } = context;
  // Of one that may no longer be read, the permission is asked for, and not what an old answer says.
  const [problem] = isDenied(deployment) ? [] : countedThenMuted(answer?.findings, memory);
  return [
    ...(hasDashboard ? [link(vscode.l10n.t('Open in Dashboard'), commandIds.openInDashboard, id)] : []),
    ...(problem ? [] : [link(vscode.l10n.t('Refresh'), commandIds.refreshDeployment, id)]),
    ...(!problem && isDenied(deployment) ? [link(vscode.l10n.t('Copy Request'), commandIds.copyRequest, id)] : []),
    ...(problem ? problemLinks([problem], deployment, context) : []),
  ];
}

function problemLinks(problems: readonly Problem[], deployment: Deployment, context: HoverContext): readonly string[] {
  const { memory } = context;
  const { id } = deployment;
  const row = { deployment: { id }, problems: problems.map(({ key }) => ({ key })) };
  const isMuted = (problem: Problem): boolean => memory.mutedUntil(problem) !== undefined;
  return [
    problems.every((problem) => fixSeenElsewhere(problem, deployment, context))
      ? link(vscode.l10n.t('Refresh'), commandIds.refreshDeployment, id)
      : link(vscode.l10n.t('Copy Request'), commandIds.copyRequest, row),
    ...notifyLinks(problems, memory, row),
    problems.every(isMuted)
      ? link(vscode.l10n.t('Unmute Problem'), commandIds.unmuteProblem, row)
      : link(vscode.l10n.t('Mute...'), commandIds.muteProblem, row),
  ];
}

/** A user who has muted a problem is offered no notification of it. */
function notifyLinks(problems: readonly Problem[], memory: Remembered, row: unknown): readonly string[] {
  const counted = problems.filter((problem) => memory.mutedUntil(problem) === undefined);
  if (counted.some((problem) => !memory.notifies(problem))) {
    return [link(vscode.l10n.t('Notify When Fixed'), commandIds.notifyWhenFixed, row)];
  }
  const isNotified = problems.some((problem) => memory.notifies(problem));
  return isNotified ? [link(vscode.l10n.t('Stop Notifying'), commandIds.stopNotifying, row)] : [];
}

function footer(
  links: readonly string[],
  { answer, failure }: Deployment,
  { now, organization }: HoverContext,
  checked?: string,
): string {
  const tried = failure && vscode.l10n.t('tried {time}', { time: relativeTime(failure.at, now) });
  // In an editor it would else seem to be about the file.
  const read =
    answer && vscode.l10n.t('reported by the platform, read {time}', { time: relativeTime(answer.asOf, now) });
  const facts = gray(escaped(parts(tried, read, checked, organization && shorten(organization.name))));
  return [...links, ...(facts ? [facts] : [])].join(' · ');
}
