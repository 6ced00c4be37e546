import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import { isReadWhole } from '../../api/decode.js';
import { machineTime } from '../../model/base/time.js';
import type { AdviceKind } from '../../model/findings/advice.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type {
  EligibleAccount,
  Finding,
  Problem,
  RequirementFinding,
} from '../../model/findings/findings.js';
import { accountName } from '../../model/findings/readings.js';
import type { Remembered } from '../../model/findings/state.js';
import { shorten, shortenMiddle } from '../../model/inertText.js';
import {
  absoluteTime,
  clockTime,
  firstWithMore,
  joinSentences,
  listText,
  numberText,
  plural,
  relativeTime,
} from './format.js';

/** As many characters as VS Code shows of a row's label. */
export const maxLabelChars = 200;

/** How many names `nameList` shows by default. */
const maxListedNames = 10;

/**
 * A problem in few words: "Finance Slack failed +2", "missing channels:read +1", "not satisfied".
 * `others`: how many more problems the deployment has. The number at the end is `others`; if that
 * is 0, it is the number of further missing scopes.
 */
export function problemWord(problem: Problem, others = 0): string {
  if (problem.kind === 'failedAccount') {
    const account = shortenMiddle(accountLabel(problem.finding.account));
    return withOthers(l10n.t('{account} failed', { account }), others);
  }
  const { missingScopes } = problem.finding;
  if (missingScopes.length === 0) return withOthers(l10n.t('not satisfied'), others);
  return missingScopesWord(missingScopes, others === 0 ? missingScopes.length - 1 : others);
}

/**
 * "needs Finance Slack"; `undefined` unless the requirement is not satisfied because an account
 * failed.
 */
export function effectWord({ cause }: RequirementFinding): string | undefined {
  if (cause?.kind !== 'failedAccount') return undefined;
  return l10n.t('needs {account}', { account: shortenMiddle(accountLabel(cause.finding.account)) });
}

/**
 * "not satisfied because Finance Slack failed": for a screen reader, which does not see that the
 * row is gray. `undefined` unless the requirement's bound account failed.
 */
export function effectReason({ isEffect, bound }: RequirementFinding): string | undefined {
  if (!isEffect || !bound) return undefined;
  return l10n.t('not satisfied because {account} failed', { account: accountLabel(bound.account) });
}

const maxGrantedScopes = 20;

/**
 * What helps against a problem, as a label, which VS Code cuts: "Grant channels:read, users:read",
 * "Reconnect Finance Slack", "Use Ops Slack +1", "Connect stripe".
 */
export function adviceLabel(problem: Problem): string {
  if (problem.kind === 'failedAccount') return reconnectLabel(problem.finding.account);
  const { missingScopes, bound, requirement, name } = problem.finding;
  if (missingScopes.length > 0) return grantLabel(missingScopes);
  if (bound) return reconnectLabel(bound.account);

  const eligible = problem.finding.advisable();
  const [best] = eligible;
  if (best) {
    const account = withOthers(eligibleLabel(best, maxLabelChars), eligible.length - 1);
    return l10n.t('Use {account}', { account });
  }

  const service = requirement.serviceId ?? name;
  return service ? l10n.t('Connect {service}', { service }) : l10n.t('Connect an account');
}

/** "Grant channels:read, users:read", after 20 scopes "… +3" */
function grantLabel(missingScopes: readonly string[]): string {
  const names = listText(missingScopes.slice(0, maxGrantedScopes).map(shortScopeName));
  const scopes = withOthers(names, missingScopes.length - maxGrantedScopes);
  return l10n.t('Grant {scopes}', { scopes });
}

/** "Reconnect Finance Slack" */
function reconnectLabel(account: Account): string {
  return l10n.t('Reconnect {account}', { account: accountLabel(account, maxLabelChars) });
}

/**
 * What helps against many problems of one kind, as a label: "Reconnect 8 accounts", "Grant scopes
 * for 5 requirements"; for a single problem its own label: "Reconnect Finance Slack".
 */
export function joinedAdviceLabel(advice: AdviceKind, problems: readonly Problem[]): string {
  const [first] = problems;
  if (first && problems.length === 1) return adviceLabel(first);
  const count = numberText(problems.length);
  const labels: Readonly<Record<AdviceKind, string>> = {
    reconnectFailed: l10n.t('Reconnect {count} accounts', { count }),
    grant: l10n.t('Grant scopes for {count} requirements', { count }),
    reconnect: l10n.t('Reconnect accounts for {count} requirements', { count }),
    use: l10n.t('Use eligible accounts for {count} requirements', { count }),
    connect: l10n.t('Connect accounts for {count} requirements', { count }),
  };
  return labels[advice];
}

/**
 * "missing channels:read +1". `others`: the number at the end; by default how many further scopes
 * there are.
 */
export function missingScopesWord(scopes: readonly string[], others?: number): string {
  return l10n.t('missing {scopes}', { scopes: scopesWord(scopes, others) });
}

/** `https://www.googleapis.com/auth/spreadsheets.readonly`: what follows the last slash. */
const lastSegmentOfUrl = /^[a-z][a-z\d+.-]*:\/\/.*?\/([^/]+)\/?$/i;

/** "channels:read"; if the scope is a URL, only what follows its last slash: "…/spreadsheets". */
export function shortScopeName(scope: string): string {
  const segment = lastSegmentOfUrl.exec(scope)?.[1];
  return segment ? `…/${segment}` : scope;
}

/**
 * The first scope, and how many others there are: "channels:read +1". `others`: the number; by
 * default that of the further scopes.
 */
export function scopesWord(scopes: readonly string[], others = scopes.length - 1): string {
  const [first = ''] = scopes;
  return withOthers(shortenMiddle(shortScopeName(first), 30), others);
}

/** "Ops Slack +1", without others "Ops Slack" */
function withOthers(name: string, others: number): string {
  return others > 0 ? `${name} +${numberText(others)}` : name;
}

/** "Finance Slack (slack) failed: token_revoked." */
export function problemSentence(problem: Problem): string {
  return l10n.t('{name}.', { name: problemText(problem) });
}

/**
 * A problem with its reason, without a full stop: "Finance Slack (slack) failed: token_revoked",
 * "Finance Slack is missing channels:read for notifier". `nameOf`: names the account that failed.
 */
export function problemText(problem: Problem, nameOf = accountWithService): string {
  if (problem.kind === 'unsatisfiedRequirement') return unsatisfiedText(problem.finding);
  const { account } = problem.finding;
  const code = shorten(account.error?.code ?? '');
  const values = { account: nameOf(account), reason: code || errorMessage(account) };
  if (values.reason) return l10n.t('{account} failed: {reason}', values);
  return isReasonUnreadable(account)
    ? l10n.t('{account} failed, and the reason could not be read', values)
    : l10n.t('{account} failed, and the platform gave no reason', values);
}

/** "Finance Slack is missing channels:read for notifier", "notifier (slack) is not satisfied" */
function unsatisfiedText(finding: RequirementFinding): string {
  const { missingScopes, bound, isBoundAccountAbsent, requirement } = finding;
  if (bound && missingScopes.length > 0) {
    return l10n.t('{account} is missing {scopes} for {requirement}', {
      account: accountLabel(bound.account),
      scopes: scopeList(missingScopes),
      requirement: requirementLabel(finding),
    });
  }
  if (isBoundAccountAbsent) {
    return l10n.t(
      '{requirement} is bound to {account}, which is not one of the deployment’s accounts',
      {
        requirement: requirementLabel(finding),
        account: shorten(requirement.accountId ?? ''),
      },
    );
  }
  return l10n.t('{requirement} is not satisfied', { requirement: requirementWithService(finding) });
}

/** Whether the account has an error of which the code or the message could not be read. */
export function isReasonUnreadable({ error }: Account): boolean {
  if (!error) return false;
  return !isReadWhole(error, 'code') || !isReadWhole(error, 'message');
}

/** "The token was revoked": the platform's message without a full stop; empty if there is none. */
export function errorMessage({ error }: Account): string {
  const message = error?.message?.trim() ?? '';
  return shorten(message, 200).replace(/[.。]$/u, '');
}

const maxUnknownNames = 5;

/**
 * Why the states of these accounts and requirements are unknown, a sentence for each of the two
 * reasons: ["crm (salesforce): the platform does not say whether it is satisfied.", "stripe: what
 * the platform said could not be read."] A reason that no finding has is left out.
 */
export function unknownTexts(findings: readonly Finding[]): readonly string[] {
  const texts: string[] = [];
  const unreported = findings.filter((finding) => !isStateUnreadable(finding));
  if (unreported.length > 0) {
    const names = nameList(unreported, findingWithService, maxUnknownNames);
    texts.push(
      plural(
        unreported.length,
        l10n.t('{names}: the platform does not say whether it is satisfied.', { names }),
        l10n.t('{names}: the platform does not say whether they are satisfied.', { names }),
      ),
    );
  }
  const unreadable = findings.filter(isStateUnreadable);
  if (unreadable.length > 0) {
    const names = nameList(unreadable, findingWithService, maxUnknownNames);
    texts.push(l10n.t('{names}: what the platform said could not be read.', { names }));
  }
  return texts;
}

/**
 * Why a state is unknown, below the name of the account or requirement: "The platform does not say
 * whether the requirement is satisfied."
 */
export function unknownText(finding: Finding): string {
  return isStateUnreadable(finding)
    ? l10n.t('What the platform said could not be read.')
    : l10n.t('The platform does not say whether the requirement is satisfied.');
}

/**
 * Whether the platform said something about the state of this, which is unknown, that could not be
 * read. The platform says nothing about an account that works, so an unknown account is always one.
 */
export function isStateUnreadable(finding: Finding): boolean {
  const isAccount = 'account' in finding;
  return isAccount || !isReadWhole(finding.requirement, 'satisfied');
}

/** What to do where the platform leaves a state open: "Look in the dashboard." */
export function unknownAdviceText(hasDashboard: boolean): string {
  return hasDashboard
    ? l10n.t('Look in the dashboard.')
    : l10n.t('Refresh to ask the platform again.');
}

/** What to do where the platform leaves a state open, as a row's label: "Look in the dashboard". */
export function unknownAdviceLabel(hasDashboard: boolean): string {
  return hasDashboard ? l10n.t('Look in the dashboard') : l10n.t('Refresh this deployment');
}

/**
 * "Finance Slack is missing channels:read.", "acc_1 is not one of the deployment’s accounts." The
 * note is shown whatever the requirement's state is, and never counted. `undefined` if no scope is
 * missing and the account is or may be there, or none is bound.
 */
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

/**
 * The name of what a muted problem is about: "Finance Slack", "notifier +1". `others`: how many
 * more problems are muted.
 */
export function mutedName({ kind, finding }: Problem, others = 0): string {
  const name = kind === 'failedAccount' ? accountLabel(finding.account) : requirementLabel(finding);
  return withOthers(shortenMiddle(name), others);
}

/**
 * "2 more problems."; with muted problems in addition "2 more problems, 1 muted."; with muted ones
 * alone "2 more problems are muted."; `undefined` if there are none. `count`: problems that are
 * neither shown nor muted. `muted`: muted problems that are not shown.
 */
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
  return muted > 0 ? moreMutedProblemsText(muted) : undefined;
}

/** "2 more problems are muted." `mutedCount`: besides the problems that are shown. */
function moreMutedProblemsText(mutedCount: number): string {
  const values = { count: numberText(mutedCount) };
  return plural(
    mutedCount,
    l10n.t('{count} more problem is muted.', values),
    l10n.t('{count} more problems are muted.', values),
  );
}

/**
 * "notifies when fixed" if the user wants a notification about any of these problems, of which a
 * row without one has `undefined`; otherwise returns `undefined`.
 */
export function notifyingWord(
  problems: readonly (Problem | undefined)[],
  memory: Remembered,
): string | undefined {
  const notifies = problems.some((problem) => problem !== undefined && memory.notifies(problem));
  return notifies ? l10n.t({ message: 'notifies when fixed', comment: 'Row' }) : undefined;
}

/** "new"; `undefined` unless `isNew`: whether a problem of the row came while the user was away. */
export function newWord(isNew: boolean): string | undefined {
  return isNew ? l10n.t({ message: 'new', comment: 'Row' }) : undefined;
}

/** Writes a list of scopes, of which it names only the first ones, and shortens long names. */
type ScopesText = typeof scopeList;

/**
 * What to do against a problem, in sentences: "Reconnect Finance Slack (slack) with the scope
 * channels:read." For an account with several connection methods, each method's scopes have their
 * own sentence: "Scopes for oauth: channels:read."
 */
export function adviceText(problem: Problem, scopesText: ScopesText = scopeList): string {
  if (problem.kind !== 'failedAccount') return requirementAdvice(problem.finding, scopesText);
  const { finding, scopes, methods } = problem;
  if (methods === undefined || methods.size < 2) {
    return reconnectSentence(finding.account, scopesText, scopes);
  }
  const scopesByMethod = Array.from(methods, ([method, missingScopes]) =>
    l10n.t('Scopes for {method}: {scopes}.', {
      method: shorten(method) || l10n.t('unnamed connection method'),
      scopes: scopesText(missingScopes),
    }),
  );
  return joinSentences(reconnectSentence(finding.account, scopesText), ...scopesByMethod);
}

/**
 * "Reconnect Finance Slack (slack).", "Reconnect Finance Slack (slack) with the scope
 * channels:read."
 */
function reconnectSentence(
  account: Account,
  scopesText: ScopesText,
  scopes: readonly string[] = [],
): string {
  const name = accountWithService(account);
  if (scopes.length === 0) return l10n.t('Reconnect {account}.', { account: name });
  const values = { account: name, scopes: scopesText(scopes) };
  return plural(
    scopes.length,
    l10n.t('Reconnect {account} with the scope {scopes}.', values),
    l10n.t('Reconnect {account} with the scopes {scopes}.', values),
  );
}

/**
 * "Reconnect Finance Slack (slack). Or use an eligible account: Ops Slack.", "Connect an account
 * for stripe in the dashboard."
 */
function requirementAdvice(finding: RequirementFinding, scopesText: ScopesText): string {
  const { bound, missingScopes, requirement, name } = finding;
  const eligible = nameList(finding.advisable(), (account) => eligibleLabel(account));
  if (bound) {
    const alternative =
      eligible && l10n.t('Or use an eligible account: {accounts}.', { accounts: eligible });
    return joinSentences(reconnectSentence(bound.account, scopesText, missingScopes), alternative);
  }
  if (eligible) return l10n.t('Use an eligible account: {accounts}.', { accounts: eligible });
  const service = shorten(requirement.serviceId ?? name);
  return service
    ? l10n.t('Connect an account for {service} in the dashboard.', { service })
    : l10n.t('Connect an account in the dashboard.');
}

/** "Ops Slack", "acc_7" if the answer has no account with this ID */
function eligibleLabel({ account, accountId }: EligibleAccount, max?: number): string {
  return account ? accountLabel(account.account, max) : shorten(accountId, max);
}

/** "notifier", "unnamed requirement". `max`: characters, by default 80. */
export function requirementLabel({ name }: RequirementFinding, max?: number): string {
  return name ? shorten(name, max) : l10n.t('unnamed requirement');
}

/** "notifier (slack)" */
export function requirementWithService(finding: RequirementFinding): string {
  return withService(requirementLabel(finding), finding.requirement.serviceId);
}

/** "notifier (slack)", "Finance Slack (slack)" */
export function findingWithService(finding: Finding): string {
  return 'account' in finding
    ? accountWithService(finding.account)
    : requirementWithService(finding);
}

/**
 * The label of an account, else its ID or service: "Finance Slack"; "unnamed account" if it has
 * none of these. `max`: characters, by default 80.
 */
export function accountLabel(account: Account, max?: number): string {
  const name = accountName(account);
  return name ? shorten(name, max) : l10n.t('unnamed account');
}

/** "Finance Slack (slack)" */
export function accountWithService(account: Account): string {
  return withService(accountLabel(account), account.serviceId);
}

/** "Finance Slack (acc_2)": tells apart accounts that have the same name. */
export function accountWithId(account: Account): string {
  return withService(accountLabel(account), account.id);
}

/**
 * "checked 3 hours ago"; "checked yesterday" if the platform sent "yesterday", which is no
 * date-time; `undefined` if it sent nothing. `now`: epoch ms.
 */
export function checkedWord(
  { checkedAt }: Account,
  { answer }: Deployment,
  now: number,
): string | undefined {
  if (!checkedAt) return undefined;
  const at = machineTime(checkedAt, answer?.clockOffsetMs ?? 0);
  const time = at === undefined ? shorten(checkedAt) : relativeTime(at, now);
  return l10n.t('checked {time}', { time });
}

/** "notifier needs it.", "notifier, pager need it."; `undefined` without requirements. */
export function neededByText(requirements: readonly RequirementFinding[]): string | undefined {
  const names = [...new Set(requirements.map((requirement) => requirementLabel(requirement)))];
  if (names.length === 0) return undefined;
  const values = { requirements: nameList(names, (name) => name, 3) };
  return plural(
    names.length,
    l10n.t('{requirements} needs it.', values),
    l10n.t('{requirements} need it.', values),
  );
}

/**
 * "Seen since 9:14 AM."; with `now` the time of day, which stays true in a row that is not drawn
 * anew, else the absolute time. `undefined` if `since` is not before the time of the deployment's
 * answer, or if one of these times is unknown. `since`, `now`: epoch ms.
 */
export function seenSinceText(
  since: number | undefined,
  { answer }: Deployment,
  now?: number,
): string | undefined {
  if (since === undefined || !answer || since >= answer.asOf) return undefined;
  const time = now === undefined ? absoluteTime(since) : clockTime(since, now);
  return l10n.t('Seen since {time}.', { time });
}

/** "notifier (slack)"; the name alone if the service has the same one, or none is known. */
function withService(name: string, serviceId: string | undefined): string {
  const service = shorten(serviceId ?? '');
  return service && service !== name ? l10n.t('{name} ({service})', { name, service }) : name;
}

const maxScopeChars = 300;

/** "channels:read, users:read, 3 more", up to 80 characters of each. */
function scopeList(scopes: readonly string[]): string {
  return nameList(scopes, (scope) => shorten(scope));
}

/**
 * "channels:read, users:read, 3 more", up to 300 characters of each, for the person who has to
 * grant the scopes.
 */
export function scopesInFull(scopes: readonly string[]): string {
  return nameList(scopes, (scope) => shorten(scope, maxScopeChars));
}

/**
 * "a, b, 3 more". At most `max` names are shown. A list may have thousands of items, so `nameOf` is
 * called for the shown ones alone.
 */
export function nameList<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  max = maxListedNames,
): string {
  return listText(firstWithMore(items, max, nameOf));
}

/** "Owner: Maria"; `undefined` without an owner. */
export function ownerWord(owner: string | undefined): string | undefined {
  return owner && l10n.t('Owner: {owner}', { owner });
}
