import * as vscode from 'vscode';
import { absoluteTime, accountName, heading, problemMessage, stateWord } from '../../host/text.js';
import type { AccountFinding } from '../../model/findings.js';
import { fields, list, markdown, text, title } from '../markdown.js';
import { problemStepLine } from './problemLine.js';

export function accountHover(finding: AccountFinding): vscode.MarkdownString {
  const { account, problem } = finding;
  return markdown(
    title(accountName(account), vscode.l10n.t('account')),
    text(problem ? problemMessage(problem) : heading(stateOf(finding))),
    problem && problemStepLine(problem),
    account.checkedAt
      ? text(vscode.l10n.t('Last checked by the service on {time}.', { time: absoluteTime(account.checkedAt) }))
      : undefined,
    list(fields(account)),
  );
}

function stateOf(finding: AccountFinding): string {
  return finding.state === 'failed' ? stateWord('failed') : vscode.l10n.t('no error');
}

/** An id that a requirement names and that is not among the accounts. */
export function absentAccountHover(accountId: string | undefined): vscode.MarkdownString {
  return markdown(
    title(accountId ?? vscode.l10n.t('unnamed account')),
    text(vscode.l10n.t('The requirement names this account, and the service sent no account with this id.')),
  );
}
