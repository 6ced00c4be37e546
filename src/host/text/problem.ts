import { l10n } from 'vscode';
import type { Account } from '../../api/authorization.js';
import type { FailedAccount, Problem, RequirementFinding, UnsatisfiedRequirement } from '../../model/findings.js';
import { shorten } from '../../model/inertText.js';
import { absoluteTime, clockTime, listText, plural, sentences } from './format.js';

/**
 * What is wrong, for a diagnostic or a list: service, account label and the service's own message, then the notes. One
 * sentence after the other, without advice and time.
 */
export function problemMessage(problem: Problem): string {
  return sentences(
    problem.kind === 'failedAccount' ? failedMessage(problem) : unsatisfiedMessage(problem),
    ...problemNotes(problem),
  );
}

/** The whole story: message with notes, since when it has been seen, and what helps. */
export function problemSentence(problem: Problem, now: number): string {
  return sentences(problemMessage(problem), seenSinceText(problem, now), problemAdvice(problem));
}

/** Missing scopes, and a bound account that is not there: shown, never counted. */
function problemNotes(problem: Problem): readonly string[] {
  return problem.kind === 'unsatisfiedRequirement' ? requirementNotes(problem.finding) : [];
}

export function requirementNotes(finding: RequirementFinding): readonly string[] {
  const notes: string[] = [];
  if (finding.boundAbsent) {
    notes.push(
      l10n.t('The bound account {account} is not among the accounts of the deployment.', {
        account: shorten(finding.requirement.accountId ?? ''),
      }),
    );
  }
  const missing = finding.missingScopes;
  if (missing.length > 0) {
    notes.push(
      plural(
        missing.length,
        l10n.t('Missing scope: {scopes}.', { scopes: scopeList(missing) }),
        l10n.t('Missing scopes: {scopes}.', { scopes: scopeList(missing) }),
      ),
    );
  }
  return notes;
}

/** "Seen since 09:14 AM.", as this workspace remembers it. Clock times stay true in a row that is not drawn again; hovers have the date. */
export function seenSinceText(problem: Problem, now?: number): string {
  const { seenSince } = problem;
  return l10n.t('Seen since {time}.', {
    time: now === undefined ? absoluteTime(seenSince) : clockTime(seenSince, now),
  });
}

/** What to do about it, from its own data. */
export function problemAdvice(problem: Problem): string {
  return problem.kind === 'failedAccount' ? reconnectAdvice(problem) : requirementAdvice(problem.finding);
}

function failedMessage({ finding }: FailedAccount): string {
  const account = accountWithService(finding.account);
  const code = finding.account.error?.code;
  const message = finding.account.error?.message;
  if (message && code) {
    return l10n.t('{account} failed: {message} ({code}).', { account, message: endless(message), code: shorten(code) });
  }
  if (message || code) {
    return l10n.t('{account} failed: {message}.', {
      account,
      message: message ? endless(message) : shorten(code ?? ''),
    });
  }
  return l10n.t('{account} failed. The service sent neither a code nor a message.', { account });
}

function unsatisfiedMessage({ finding }: UnsatisfiedRequirement): string {
  const name = requirementLabel(finding);
  if (!finding.bound) return l10n.t('{requirement} is not satisfied.', { requirement: name });
  const error = finding.bound.account.error;
  const account = accountLabel(finding.bound.account);
  const word = error?.message ? endless(error.message) : error?.code && shorten(error.code);
  return word
    ? l10n.t('{requirement} is not satisfied: its account {account} failed ({message}).', {
        requirement: name,
        account,
        message: word,
      })
    : l10n.t('{requirement} is not satisfied. Its account is {account}.', { requirement: name, account });
}

function reconnectAdvice({ finding, scopes }: FailedAccount): string {
  return reconnect(accountWithService(finding.account), scopes);
}

function reconnect(account: string, scopes: readonly string[]): string {
  if (scopes.length === 0) return l10n.t('Reconnect {account}.', { account });
  return plural(
    scopes.length,
    l10n.t('Reconnect {account} with the scope {scopes}.', { account, scopes: scopeList(scopes) }),
    l10n.t('Reconnect {account} with the scopes {scopes}.', { account, scopes: scopeList(scopes) }),
  );
}

/** Reconnect the bound account, or use one of those that could do it. */
function requirementAdvice(finding: RequirementFinding): string {
  const service = shorten(finding.requirement.serviceId ?? finding.name);
  const eligible = finding.eligible
    .filter((entry) => entry.accountId !== finding.requirement.accountId)
    .map((entry) => (entry.account ? accountLabel(entry.account.account) : shorten(entry.accountId)));
  const others =
    eligible.length === 0
      ? undefined
      : eligible.length === 1
        ? l10n.t('Or use the eligible account {account}.', { account: eligible[0] ?? '' })
        : l10n.t('Or use one of the eligible accounts: {accounts}.', { accounts: nameList(eligible) });
  if (finding.bound) {
    return sentences(reconnect(accountWithService(finding.bound.account), finding.missingScopes), others);
  }
  if (eligible.length === 1) return l10n.t('Use the eligible account {account}.', { account: eligible[0] ?? '' });
  if (eligible.length > 1) {
    return l10n.t('Use one of the eligible accounts: {accounts}.', { accounts: nameList(eligible) });
  }
  return service
    ? l10n.t('Connect an account of {service} in the dashboard.', { service })
    : l10n.t('Connect an account in the dashboard.');
}

/** "notifier (slack)" */
export function requirementLabel(finding: RequirementFinding): string {
  const service = finding.requirement.serviceId;
  const name = finding.name ? shorten(finding.name) : l10n.t('unnamed requirement');
  return service && service !== finding.name ? l10n.t('{name} ({service})', { name, service: shorten(service) }) : name;
}

/** Label, else id, else service, else the words that say that none was sent. */
export function accountLabel(account: Account): string {
  const name = account.label || account.id || account.serviceId;
  return name ? shorten(name) : l10n.t('unnamed account');
}

/** "Finance Slack (slack)" */
function accountWithService(account: Account): string {
  const name = accountLabel(account);
  return account.serviceId && account.serviceId !== name
    ? l10n.t('{account} ({service})', { account: name, service: shorten(account.serviceId) })
    : name;
}

/** A message of the service inside one of our sentences: bounded, and without its own full stop. */
function endless(message: string): string {
  return shorten(message.trim(), 200).replace(/[.。]$/u, '');
}

const shownInList = 10;

function scopeList(scopes: readonly string[]): string {
  return nameList(scopes.map((scope) => shorten(scope)));
}

/** At most ten names, then how many more there are. */
function nameList(names: readonly string[]): string {
  if (names.length <= shownInList) return listText(names);
  const more = l10n.t('{count} more', { count: names.length - shownInList });
  return listText([...names.slice(0, shownInList), more]);
}
