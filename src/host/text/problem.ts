import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import { day, machineTime } from '../../model/base/time.js';
import type { AdviceKind } from '../../model/findings/advice.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type {
  EligibleAccount,
  Finding,
  Problem,
  RequirementFinding,
} from '../../model/findings/findings.js';
import { accountName } from '../../model/findings/readings.js';
import type { Mutes, Remembered } from '../../model/findings/state.js';
import { shorten, shortenMiddle } from '../../model/inertText.js';
import { maxMuteMs } from '../../model/problems/savedProblems.js';
import {
  absoluteTime,
  clockTime,
  firstWithMore,
  futureDayOrTime,
  joinSentences,
  listText,
  numberText,
  plural,
  relativeTime,
} from './format.js';

/** "missing channels:read +1", "Finance Slack failed +2". `others`: how many more problems there are, which count for more than further scopes. */
export function problemWord(problem: Problem, others = 0): string {
  if (problem.kind === 'failedAccount') {
    const account = shortenMiddle(accountLabel(problem.finding.account));
    return withOthers(l10n.t('{account} failed', { account }), others);
  }
  const { missingScopes } = problem.finding;
  return missingScopes.length > 0
    ? missingScopesWord(missingScopes, others || missingScopes.length - 1)
    : withOthers(l10n.t('not satisfied'), others);
}

export function effectWord({ cause }: RequirementFinding): string | undefined {
  if (cause?.kind !== 'failedAccount') return undefined;
  return l10n.t('needs {account}', { account: shortenMiddle(accountLabel(cause.finding.account)) });
}

/** For a screen reader, which has no gray. */
export function effectReason({ isEffect, bound }: RequirementFinding): string | undefined {
  if (!isEffect || !bound) return undefined;
  return l10n.t('not satisfied because {account} failed', { account: accountLabel(bound.account) });
}

const maxGrantedScopes = 20;

/** What helps, for a label, which VS Code cuts: "Grant channels:read, users:read", "Reconnect Finance Slack", "Use Ops Slack +1". */
export function adviceLabel(problem: Problem): string {
  if (problem.kind === 'failedAccount') return reconnectWord(problem.finding.account);
  const { missingScopes, bound, requirement, name } = problem.finding;
  if (missingScopes.length > 0) {
    const scopes = listText(missingScopes.slice(0, maxGrantedScopes).map(scopeName));
    return l10n.t('Grant {scopes}', {
      scopes: withOthers(scopes, missingScopes.length - maxGrantedScopes),
    });
  }
  if (bound) return reconnectWord(bound.account);
  const others = problem.finding.advisable();
  const [first] = others;
  if (first) {
    const account = eligibleLabel(first, maxLabelChars);
    return l10n.t('Use {account}', { account: withOthers(account, others.length - 1) });
  }
  const service = requirement.serviceId ?? name;
  return service ? l10n.t('Connect {service}', { service }) : l10n.t('Connect an account');
}

/**
 * What helps against many problems of one kind, for a label: "Reconnect 8 accounts", "Grant scopes
 * for 5 requirements".
 */
export function joinedAdviceLabel(advice: AdviceKind, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return adviceLabel(first);
  const count = numberText(problems.length);
  return {
    reconnectFailed: l10n.t('Reconnect {count} accounts', { count }),
    grant: l10n.t('Grant scopes for {count} requirements', { count }),
    reconnect: l10n.t('Reconnect accounts for {count} requirements', { count }),
    use: l10n.t('Use eligible accounts for {count} requirements', { count }),
    connect: l10n.t('Connect accounts for {count} requirements', { count }),
  }[advice];
}

export function missingScopesWord(scopes: readonly string[], others?: number): string {
  return l10n.t('missing {scopes}', { scopes: scopesWord(scopes, others) });
}

/** Of a scope that is a URL the last segment: "…/spreadsheets.readonly". */
export function scopeName(scope: string): string {
  const [, segment] = /^[a-z][a-z\d+.-]*:\/\/.*?\/([^/]+)\/?$/i.exec(scope) ?? [];
  return segment ? `…/${segment}` : scope;
}

export function scopesWord(scopes: readonly string[], others = scopes.length - 1): string {
  return withOthers(shortenMiddle(scopeName(scopes[0] ?? ''), 30), others);
}

function withOthers(name: string, others: number): string {
  return others > 0 ? `${name} +${numberText(others)}` : name;
}

function reconnectWord(account: Account): string {
  return l10n.t('Reconnect {account}', { account: accountLabel(account, maxLabelChars) });
}

export function problemSentence(problem: Problem): string {
  return l10n.t('{name}.', { name: problemText(problem) });
}

export function problemText(problem: Problem, nameOf = accountWithService): string {
  if (problem.kind === 'failedAccount') {
    const failed = problem.finding.account;
    const words = {
      account: nameOf(failed),
      reason: shorten(failed.error?.code ?? '') || errorMessage(failed),
    };
    if (words.reason) return l10n.t('{account} failed: {reason}', words);
    return isReasonUnreadable(failed)
      ? l10n.t('{account} failed, and the reason could not be read', words)
      : l10n.t('{account} failed, and the platform gave no reason', words);
  }
  const { missingScopes, bound, isBoundAccountAbsent, requirement } = problem.finding;
  const name = requirementLabel(problem.finding);
  if (bound && missingScopes.length > 0) {
    const values = {
      account: accountLabel(bound.account),
      scopes: scopeList(missingScopes),
      requirement: name,
    };
    return l10n.t('{account} is missing {scopes} for {requirement}', values);
  }
  if (!isBoundAccountAbsent)
    return l10n.t('{requirement} is not satisfied', {
      requirement: requirementWithService(problem.finding),
    });
  const account = shorten(requirement.accountId ?? '');
  return l10n.t(
    '{requirement} is bound to {account}, which is not one of the deployment’s accounts',
    {
      requirement: name,
      account,
    },
  );
}

/** Returns whether a part of the account's error was left out. */
export function isReasonUnreadable({ error }: Account): boolean {
  return !!error && !(isReadWhole(error, 'code') && isReadWhole(error, 'message'));
}

export function errorMessage({ error }: Account): string {
  return shorten(error?.message?.trim() ?? '', 200).replace(/[.。]$/u, '');
}

const maxUnknownNames = 5;

/**
 * "crm (salesforce): the platform does not say whether it is satisfied." A sentence for each reason
 * why they are unknown.
 */
export function unknownTexts(findings: readonly Finding[]): readonly string[] {
  const unread = findings.filter(isStateUnreadable);
  const unsaid = findings.filter((finding) => !isStateUnreadable(finding));
  const names = nameList(unsaid, findingWithService, maxUnknownNames);
  const unreadNames = nameList(unread, findingWithService, maxUnknownNames);
  return [
    ...(unsaid.length > 0
      ? [
          plural(
            unsaid.length,
            l10n.t('{names}: the platform does not say whether it is satisfied.', { names }),
            l10n.t('{names}: the platform does not say whether they are satisfied.', { names }),
          ),
        ]
      : []),
    ...(unread.length > 0
      ? [l10n.t('{names}: what the platform said could not be read.', { names: unreadNames })]
      : []),
  ];
}

/** The same where its name stands above: "The platform does not say whether the requirement is satisfied." */
export function unknownText(finding: Finding): string {
  return isStateUnreadable(finding)
    ? l10n.t('What the platform said could not be read.')
    : l10n.t('The platform does not say whether the requirement is satisfied.');
}

/**
 * Of an account the platform says nothing where it works, so it is unknown only if that could not
 * be read.
 */
export function isStateUnreadable(finding: Finding): boolean {
  return 'account' in finding || !isReadWhole(finding.requirement, 'satisfied');
}

/** What helps where the platform leaves something open. */
export function unknownAdviceText(hasDashboard: boolean): string {
  return hasDashboard
    ? l10n.t('Look in the dashboard.')
    : l10n.t('Refresh to ask the platform again.');
}

/** The same for a row's label. */
export function unknownAdviceLabel(hasDashboard: boolean): string {
  return hasDashboard ? l10n.t('Look in the dashboard') : l10n.t('Refresh this deployment');
}

/** Missing scopes, or a bound account that is not there: shown, never counted. */
export function requirementNote(finding: RequirementFinding): string | undefined {
  const { missingScopes, bound, isBoundAccountAbsent, requirement } = finding;
  const account = bound ? accountLabel(bound.account) : shorten(requirement.accountId ?? '');
  if (missingScopes.length > 0) {
    return l10n.t('{account} is missing {scopes}.', { account, scopes: scopeList(missingScopes) });
  }
  return isBoundAccountAbsent
    ? l10n.t('{account} is not one of the deployment’s accounts.', { account })
    : undefined;
}

/** "muted until Friday", "muted until it changes"; `undefined` if it is not muted. */
export function mutedWord(
  problem: Problem | undefined,
  memory: Mutes,
  now: number,
): string | undefined {
  const until = problem && memory.mutedUntil(problem);
  if (problem === undefined || until === undefined) return undefined;
  return memory.isMutedUntilChange(problem)
    ? l10n.t({ message: 'muted until it changes', comment: 'Row' })
    : l10n.t('muted until {time}', { time: futureDayOrTime(until, now) });
}

/** "Muted until it changes, for at most 90 days (until Feb 25, 2027)." */
export function mutedText(problem: Problem, memory: Mutes, now: number): string | undefined {
  const until = memory.mutedUntil(problem);
  if (until === undefined) return undefined;
  if (!memory.isMutedUntilChange(problem))
    return l10n.t('Muted until {time}.', { time: absoluteTime(until) });
  const values = { days: numberText(maxMuteMs / day), time: futureDayOrTime(until, now) };
  return l10n.t('Muted until it changes, for at most {days} days (until {time}).', values);
}

/**
 * What is muted, by its name alone: "Finance Slack", "notifier +1". `others`: how many more
 * problems are.
 */
export function mutedName({ kind, finding }: Problem, others = 0): string {
  const name = kind === 'failedAccount' ? accountLabel(finding.account) : requirementLabel(finding);
  return withOthers(shortenMiddle(name), others);
}

/** "2 more problems."; with muted ones beside them "2 more problems, 1 muted."; `undefined` of none. */
export function moreProblemsText(count: number, muted = 0): string | undefined {
  const values = { count: numberText(count), muted: numberText(muted) };
  if (count > 0 && muted > 0) {
    return plural(
      count,
      l10n.t('{count} more problem, {muted} muted.', values),
      l10n.t('{count} more problems, {muted} muted.', values),
    );
  }
  if (count > 0) {
    return plural(
      count,
      l10n.t('{count} more problem.', values),
      l10n.t('{count} more problems.', values),
    );
  }
  return muted > 0 ? moreMutedProblems(muted) : undefined;
}

/** "2 more problems are muted." */
function moreMutedProblems(muted: number): string {
  const values = { count: numberText(muted) };
  return plural(
    muted,
    l10n.t('{count} more problem is muted.', values),
    l10n.t('{count} more problems are muted.', values),
  );
}

/** "notifies when fixed"; `undefined` if none of these problems does. */
export function notifyingWord(
  problems: readonly (Problem | undefined)[],
  memory: Remembered,
): string | undefined {
  const notifies = problems.some((problem) => problem !== undefined && memory.notifies(problem));
  return notifies ? l10n.t({ message: 'notifies when fixed', comment: 'Row' }) : undefined;
}

/** "new", where one of these problems came while the user was away. */
export function newWord(isNew: boolean): string | undefined {
  return isNew ? l10n.t({ message: 'new', comment: 'Row' }) : undefined;
}

/** `scopesText`: how many scopes are named, and how much of each. */
export function adviceText(problem: Problem, scopesText = scopeList): string {
  if (problem.kind !== 'failedAccount') return requirementAdvice(problem.finding, scopesText);
  const { finding, scopes, methods = new Map<string, readonly string[]>() } = problem;
  if (methods.size < 2) return reconnect(finding.account, scopesText, scopes);
  const byMethod = [...methods].map(([method, missing]) => {
    const name = shorten(method) || l10n.t('unnamed connection method');
    return l10n.t('Scopes for {method}: {scopes}.', { method: name, scopes: scopesText(missing) });
  });
  return joinSentences(reconnect(finding.account, scopesText), ...byMethod);
}

type ScopesText = typeof scopeList;

function reconnect(
  accountOf: Account,
  scopesText: ScopesText,
  scopes: readonly string[] = [],
): string {
  const account = accountWithService(accountOf);
  if (scopes.length === 0) return l10n.t('Reconnect {account}.', { account });
  const words = { account, scopes: scopesText(scopes) };
  return plural(
    scopes.length,
    l10n.t('Reconnect {account} with the scope {scopes}.', words),
    l10n.t('Reconnect {account} with the scopes {scopes}.', words),
  );
}

function requirementAdvice(finding: RequirementFinding, scopesText: ScopesText): string {
  const { bound, missingScopes, requirement, name } = finding;
  const accounts = nameList(finding.advisable(), (one) => eligibleLabel(one));
  if (bound) {
    const other = accounts && l10n.t('Or use an eligible account: {accounts}.', { accounts });
    return joinSentences(reconnect(bound.account, scopesText, missingScopes), other);
  }
  if (accounts) return l10n.t('Use an eligible account: {accounts}.', { accounts });
  const service = shorten(requirement.serviceId ?? name);
  return service
    ? l10n.t('Connect an account for {service} in the dashboard.', { service })
    : l10n.t('Connect an account in the dashboard.');
}

function eligibleLabel({ account, accountId }: EligibleAccount, max?: number): string {
  return account ? accountLabel(account.account, max) : shorten(accountId, max);
}

export function requirementLabel({ name }: RequirementFinding, max?: number): string {
  return name ? shorten(name, max) : l10n.t('unnamed requirement');
}

export function requirementWithService(finding: RequirementFinding): string {
  return withService(requirementLabel(finding), finding.requirement.serviceId);
}

/** "notifier (slack)", "Finance Slack (slack)" */
export function findingWithService(finding: Finding): string {
  return 'account' in finding
    ? accountWithService(finding.account)
    : requirementWithService(finding);
}

/** As a row's own label, which VS Code cuts. */
export const maxLabelChars = 200;

export function accountLabel(account: Account, max?: number): string {
  const name = accountName(account);
  return name ? shorten(name, max) : l10n.t('unnamed account');
}

export function accountWithService(account: Account): string {
  return withService(accountLabel(account), account.serviceId);
}

/** "Finance Slack (acc_2)", where another one is called so, too. */
export function accountWithId(account: Account): string {
  return withService(accountLabel(account), account.id);
}

/** "checked 3 hours ago"; a date-time of the platform that can't be read is shown as it came. */
export function checkedWord(
  { checkedAt }: Account,
  { answer }: Deployment,
  now: number,
): string | undefined {
  if (!checkedAt) return undefined;
  const at = machineTime(checkedAt, answer?.clockOffsetMs ?? 0);
  return l10n.t('checked {time}', {
    time: at === undefined ? shorten(checkedAt) : relativeTime(at, now),
  });
}

export function neededByText(requirements: readonly RequirementFinding[]): string | undefined {
  const names = [...new Set(requirements.map((one) => requirementLabel(one)))];
  if (names.length === 0) return undefined;
  const values = { requirements: nameList(names, (name) => name, 3) };
  return plural(
    names.length,
    l10n.t('{requirements} needs it.', values),
    l10n.t('{requirements} need it.', values),
  );
}

/** "Seen since 09:14 AM."; nothing of a problem that the first answer had already. A clock time stays true in a row that is not drawn again. */
export function seenSinceText(
  since: number | undefined,
  { answer }: Deployment,
  now?: number,
): string | undefined {
  if (since === undefined || !answer || since >= answer.asOf) return undefined;
  const time = now === undefined ? absoluteTime(since) : clockTime(since, now);
  return l10n.t('Seen since {time}.', { time });
}

function withService(name: string, serviceId: string | undefined): string {
  const service = shorten(serviceId ?? '');
  return service && service !== name ? l10n.t('{name} ({service})', { name, service }) : name;
}

const shownInList = 10;
const maxScopeChars = 300;

function scopeList(scopes: readonly string[]): string {
  return nameList(scopes, (scope) => shorten(scope));
}

/** For those who have to grant them: whole up to 300 characters each. */
export function scopesInFull(scopes: readonly string[]): string {
  return nameList(scopes, (scope) => shorten(scope, maxScopeChars));
}

/** "a, b, and 3 more". A list may have thousands, so only the names that are shown are made. */
export function nameList<T>(
  named: readonly T[],
  nameOf: (one: T) => string,
  max = shownInList,
): string {
  return listText(firstWithMore(named, max, nameOf));
}

export function ownerWord(owner: string | undefined): string | undefined {
  return owner && l10n.t('Owner: {owner}', { owner });
}
