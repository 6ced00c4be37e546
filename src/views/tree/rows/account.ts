import * as vscode from 'vscode';
import type { Account } from '../../../api/authorization.js';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { inDeploymentsText, inDeploymentsWord } from '../../../host/text/deployment.js';
import { absoluteTime, parts, relativeTime } from '../../../host/text/format.js';
import { accountLabel, missingWord, mutedWord, problemMessage } from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import type { Deployment } from '../../../model/deployment.js';
import { shorten, shortenMiddle } from '../../../model/inertText.js';
import type { AccountFinding } from '../../../model/problems/findings.js';
import { accountName } from '../../../model/problems/readings.js';
import { parseDateTime } from '../../../model/time.js';
import type { AccountElement, AccountErrorElement } from '../../../model/tree/elements.js';
import { escaped, fields, list, markdown, title } from '../../markdown.js';
import { type Looks, menuFor, type Row, type RowContext } from '../row.js';
import { adviceInFull } from './advice.js';

export const accountRows = {
  account: {
    row: accountRow,
    hover: ({ finding, accountId, deployment }, context) =>
      finding ? accountHover(finding, deployment, context) : absentAccountHover(accountId),
  },
  accountError: {
    row: accountErrorRow,
    hover: ({ finding, deployment }, context) => accountHover(finding, deployment, context),
  },
} satisfies Looks<'account' | 'accountError'>;

/** An eligible account is not part of the deployment's state, so it gets a plain circle unless it has failed itself. */
function accountRow(element: AccountElement, { now, impact }: RowContext): Row {
  const { finding, role, missingScopes } = element;
  if (!finding) return absentAccountRow(element);
  const { account, problem } = finding;
  const label = accountLabel(account);
  const shared = inDeploymentsWord(impact.count(account.id));
  return {
    label,
    description: accountSummary(element, finding, now, shared),
    icon: role === 'eligible' && !problem ? icon('circle-large-outline') : stateIcon(finding.state),
    spoken: [
      label,
      vscode.l10n.t('account'),
      // A code alone does not say it to somebody who can't see the icon.
      ...(problem ? [stateWord('failed'), account.error?.code, mutedWord(problem, now)] : [vscode.l10n.t('no error')]),
      account.serviceId,
      checkedWord(account, now),
      shared,
      roleWord(role),
      lackingWord(missingScopes),
    ],
    contextValue: menuFor(contextValues.account, [problem]),
    state: finding.state,
  };
}

function absentAccountRow({ accountId, role }: AccountElement): Row {
  const label = accountId ?? vscode.l10n.t('unnamed account');
  const absent = vscode.l10n.t('not among the accounts');
  return {
    label,
    description: parts(absent, roleWord(role)),
    icon: icon('question'),
    spoken: [label, vscode.l10n.t('account'), absent, roleWord(role)],
    contextValue: contextValues.account,
  };
}

/**
 * Directly under a deployment: "token_revoked · in 4 deployments · checked 3 hours ago", "slack · checked 3 hours ago"; under a requirement:
 * "failed: token_revoked", "eligible", "missing channels:read · eligible".
 */
function accountSummary(
  { role, missingScopes }: AccountElement,
  { account, problem }: AccountFinding,
  now: number,
  shared: string | undefined,
): string {
  const { serviceId, error } = account;
  const code = error?.code && shortenMiddle(error.code);
  const muted = mutedWord(problem, now);
  if (role === 'connected') {
    const well = serviceId ? shorten(serviceId) : vscode.l10n.t('no error');
    return parts(muted, problem ? code || stateWord('failed') : well, shared, checkedWord(account, now));
  }
  const failed = code ? vscode.l10n.t('failed: {code}', { code }) : stateWord('failed');
  const known = problem && role === 'bound' ? undefined : roleWord(role);
  return parts(muted, problem && failed, lackingWord(missingScopes), known, shared);
}

function lackingWord(missingScopes: readonly string[]): string | undefined {
  return missingScopes.length > 0 ? missingWord(missingScopes) : undefined;
}

function roleWord(role: AccountElement['role']): string | undefined {
  if (role === 'connected') return undefined;
  return role === 'bound' ? vscode.l10n.t('bound') : vscode.l10n.t('eligible');
}

/** "checked 3 hours ago"; a date-time of the service that can't be read is shown as it came. */
function checkedWord({ checkedAt }: Account, now: number): string | undefined {
  if (!checkedAt) return undefined;
  const at = parseDateTime(checkedAt);
  return vscode.l10n.t('checked {time}', { time: at === undefined ? shorten(checkedAt) : relativeTime(at, now) });
}

/** The service's own words about a failed account: its message, and the code before it. */
function accountErrorRow({ finding }: AccountErrorElement): Row {
  const { code, message } = finding.account.error ?? {};
  const label = code || stateWord('failed');
  return {
    label: shortenMiddle(label),
    description: message,
    icon: stateIcon(finding.state),
    spoken: [label, vscode.l10n.t('error of the account'), message],
  };
}

/** Sentences say label, check and, of a failed account, service and error: these fields are not repeated. */
export function accountHover(
  { account, problem }: AccountFinding,
  deployment: Deployment,
  { impact }: RowContext,
): vscode.MarkdownString {
  const { label, checkedAt, error } = account;
  const said = [
    label === accountName(account) ? 'label' : 'id',
    'checkedAt',
    'error',
    ...(problem ? ['serviceId'] : []),
  ];
  return markdown(
    title(accountLabel(account), vscode.l10n.t('account')),
    escaped(problem ? problemMessage(problem) : vscode.l10n.t('No error.')),
    problem && adviceInFull(problem, deployment),
    escaped(inDeploymentsText(impact.count(account.id))),
    checkedAt && escaped(vscode.l10n.t('Checked by the service on {time}.', { time: absoluteTime(checkedAt) })),
    list([...fields(account, said), ...fields(error ?? {}, ['code', 'message'], 'error.')]),
  );
}

/** A requirement names the account, and the service sent none with this id. */
function absentAccountHover(accountId: string | undefined): vscode.MarkdownString {
  return markdown(
    title(accountId ?? vscode.l10n.t('unnamed account')),
    escaped(vscode.l10n.t('The requirement names this account, but the response has no account with this ID.')),
  );
}
