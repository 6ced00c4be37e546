import * as vscode from 'vscode';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { absoluteTime, heading, parts, relativeTime } from '../../../host/text/format.js';
import { accountLabel, problemMessage } from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import type { AccountFinding } from '../../../model/findings.js';
import { shorten } from '../../../model/inertText.js';
import { parseDateTime } from '../../../model/time.js';
import type { AccountElement, AccountErrorElement, LastCheckElement } from '../../../model/tree/elements.js';
import { fields, list, markdown, text, title } from '../../markdown.js';
import { type Looks, type RowContext, treeItem } from '../row.js';
import { adviceInFull } from './advice.js';

/** An account, and below it its error and when the service last checked it. */
export const accountRows = {
  account: {
    item: accountItem,
    hover: ({ finding, accountId }) => (finding ? accountHover(finding) : absentAccountHover(accountId)),
  },
  accountError: { item: accountErrorItem, hover: ({ finding }) => accountHover(finding) },
  lastCheck: { item: lastCheckItem, hover: ({ finding }) => accountHover(finding) },
} satisfies Looks<'account' | 'accountError' | 'lastCheck'>;

function accountItem(element: AccountElement, { hasChildren, now }: RowContext): vscode.TreeItem {
  const { id, finding, role, accountId } = element;
  const label = finding ? accountLabel(finding.account) : (accountId ?? vscode.l10n.t('unnamed account'));
  const summary = accountSummary(finding, role, now);
  const failed = finding?.state === 'failed';
  return treeItem({
    id,
    label,
    description: summary,
    icon: accountIcon(element),
    // A code alone ("token_revoked") does not say "failed" to somebody who can't see the icon.
    spoken: [label, vscode.l10n.t('account'), failed ? stateWord('failed') : undefined, summary],
    expandable: hasChildren(element),
    contextValue: contextValues.account,
    problem: failed ? 'failed' : undefined,
  });
}

/** An eligible account is not part of the deployment's state, so it gets a plain circle unless it has failed itself. */
function accountIcon({ finding, role }: AccountElement): vscode.ThemeIcon {
  if (!finding) return icon('question');
  if (finding.state === 'failed') return stateIcon('failed');
  return role === 'eligible' ? icon('circle-large-outline') : stateIcon('satisfied');
}

/**
 * Directly under a deployment: "slack · T02 · token_revoked · checked 3 hr. ago"; under a requirement the role comes first:
 * "bound account · token_revoked". `finding` is absent if the id is not among the deployment's accounts.
 */
export function accountSummary(finding: AccountFinding | undefined, role: AccountElement['role'], now: number): string {
  if (!finding) return parts(roleWord(role), vscode.l10n.t('not among the accounts'));
  const { serviceId, serviceSub, checkedAt } = finding.account;
  const error = finding.state === 'failed' ? errorWord(finding) : undefined;
  if (role !== 'connected') return parts(roleWord(role), error);
  return parts(
    serviceId && shorten(serviceId),
    serviceSub && shorten(serviceSub, 40),
    error ?? vscode.l10n.t('no error'),
    checkedAt && vscode.l10n.t('checked {time}', { time: checkTime(checkedAt, now) }),
  );
}

function roleWord(role: AccountElement['role']): string | undefined {
  switch (role) {
    case 'bound':
      return vscode.l10n.t('bound account');
    case 'eligible':
      return vscode.l10n.t('eligible account');
    case 'connected':
      return undefined;
  }
}

/** The code of a failed account's error, else "failed". */
function errorWord({ account: { error } }: AccountFinding): string {
  return error?.code ? shorten(error.code) : stateWord('failed');
}

/** "3 hr. ago"; a date-time of the service that can't be read is shown as it came. */
function checkTime(checkedAt: string, now: number): string {
  const time = parseDateTime(checkedAt);
  return time === undefined ? shorten(checkedAt) : relativeTime(time, now);
}

/** The service's own word about a failed account: its code, and its message beside it. */
function accountErrorItem({ id, finding }: AccountErrorElement): vscode.TreeItem {
  const label = errorWord(finding);
  const message = finding.account.error?.message;
  return treeItem({
    id,
    label,
    description: message,
    icon: stateIcon('failed'),
    spoken: [label, vscode.l10n.t('error of the account'), message],
  });
}

function lastCheckItem({ id, finding }: LastCheckElement, { now }: RowContext): vscode.TreeItem {
  const checkedAt = finding.account.checkedAt ?? '';
  const label = vscode.l10n.t('Last check');
  return treeItem({
    id,
    label,
    description: checkTime(checkedAt, now),
    icon: icon('history'),
    spoken: [label, absoluteTime(checkedAt)],
  });
}

function accountHover({ account, state, problem }: AccountFinding): vscode.MarkdownString {
  return markdown(
    title(accountLabel(account), vscode.l10n.t('account')),
    text(
      problem ? problemMessage(problem) : heading(state === 'failed' ? stateWord(state) : vscode.l10n.t('no error')),
    ),
    problem && adviceInFull(problem),
    account.checkedAt
      ? text(vscode.l10n.t('Last checked by the service on {time}.', { time: absoluteTime(account.checkedAt) }))
      : undefined,
    list(fields(account)),
  );
}

/** A requirement names the account, and the service sent none with this id. */
function absentAccountHover(accountId: string | undefined): vscode.MarkdownString {
  return markdown(
    title(accountId ?? vscode.l10n.t('unnamed account')),
    text(vscode.l10n.t('The requirement names this account, and the service sent no account with this id.')),
  );
}
