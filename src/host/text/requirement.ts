import { l10n } from 'vscode';
import { parseDateTime } from '../../model/dateTime.js';
import type { AccountFinding, ConnectionFinding, RequirementFinding, ScopeFinding } from '../../model/findings.js';
import { parts, plural, relativeTime, shorten } from './format.js';

/** "slack · not satisfied · channels:read missing" */
export function requirementSummary(finding: RequirementFinding): string {
  const service = finding.requirement.serviceId;
  return parts(
    service && service !== finding.name ? shorten(service) : undefined,
    requirementStateWord(finding),
    missingText(finding.missingScopes),
    finding.boundAbsent
      ? l10n.t('bound account {account} absent', { account: shorten(finding.requirement.accountId ?? '') })
      : undefined,
  );
}

export function requirementStateWord(finding: RequirementFinding): string {
  switch (finding.state) {
    case 'notSatisfied':
      return l10n.t('not satisfied');
    case 'satisfied':
      return l10n.t('satisfied');
    case 'unknown':
      return l10n.t('unknown: the service did not say');
  }
}

function missingText(scopes: readonly string[]): string | undefined {
  if (scopes.length === 0) return undefined;
  return scopes.length === 1
    ? l10n.t('{scope} missing', { scope: shorten(scopes[0] ?? '') })
    : l10n.t('{count} scopes missing', { count: scopes.length });
}

export type AccountRole = 'connected' | 'bound' | 'eligible';

/**
 * Directly under a deployment: "slack · T02 · token_revoked · checked 3 hr. ago"; under a requirement the role comes first:
 * "bound account · token_revoked". `finding` is absent if the id is not among the deployment's accounts.
 */
export function accountSummary(finding: AccountFinding | undefined, role: AccountRole, now: number): string {
  if (!finding) return parts(roleWord(role), l10n.t('not among the accounts'));
  const { account } = finding;
  const error = accountErrorWord(finding);
  if (role !== 'connected') return parts(roleWord(role), error);
  return parts(
    account.serviceId && shorten(account.serviceId),
    account.serviceSub && shorten(account.serviceSub, 40),
    error ?? l10n.t('no error'),
    account.checkedAt && checkedText(account.checkedAt, now),
  );
}

function roleWord(role: AccountRole): string | undefined {
  switch (role) {
    case 'bound':
      return l10n.t('bound account');
    case 'eligible':
      return l10n.t('eligible account');
    case 'connected':
      return undefined;
  }
}

/** The error's code, else "failed"; nothing for a sound account. */
export function accountErrorWord(finding: AccountFinding): string | undefined {
  if (finding.state !== 'failed') return undefined;
  const code = finding.account.error?.code;
  return code ? shorten(code) : l10n.t('failed');
}

/** "checked 3 hr. ago" */
function checkedText(checkedAt: string, now: number): string {
  return l10n.t('checked {time}', { time: dateText(checkedAt, now) });
}

/** A date-time of the service: "3 hr. ago"; what can't be read is shown as it came. */
export function dateText(sent: string, now: number): string {
  const time = parseDateTime(sent);
  return time === undefined ? shorten(sent) : relativeTime(time, now);
}

/** "1 of 2 required scopes held" */
export function connectionSummary(finding: ConnectionFinding): string {
  const required = finding.scopes.filter((scope) => scope.required);
  const own = finding.own ? l10n.t('method of the bound account') : undefined;
  if (required.length === 0) return parts(own, l10n.t('no required scopes'));
  if (required.every((scope) => scope.state === 'unknown')) {
    return parts(
      own,
      plural(
        required.length,
        l10n.t('{count} required scope', { count: required.length }),
        l10n.t('{count} required scopes', { count: required.length }),
      ),
    );
  }
  const values = { held: required.filter((scope) => scope.state === 'held').length, total: required.length };
  return parts(
    own,
    plural(
      required.length,
      l10n.t('{held} of {total} required scope held', values),
      l10n.t('{held} of {total} required scopes held', values),
    ),
  );
}

/** "required, minimal · held" */
export function scopeSummary(finding: ScopeFinding): string {
  const mark =
    finding.required && finding.minimal
      ? l10n.t('required, minimal')
      : finding.required
        ? l10n.t('required')
        : l10n.t('minimal');
  return parts(mark, scopeStateWord(finding));
}

export function scopeStateWord(finding: ScopeFinding): string {
  switch (finding.state) {
    case 'held':
      return l10n.t('held');
    case 'missing':
      return l10n.t('missing');
    case 'unknown':
      return l10n.t('not known whether held');
  }
}
