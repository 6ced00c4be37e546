import * as vscode from 'vscode';
import { icon, stateIcons } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { asOfRowTime, asOfTime } from '../../../host/text/cause.js';
import { clockSkewText } from '../../../host/text/clockSkew.js';
import { inDeploymentsWord } from '../../../host/text/deployment.js';
import {
  absoluteTime,
  capitalized,
  joinWithDots,
  numberText,
  plural,
} from '../../../host/text/format.js';
import { changedSinceMutedWord, mutedWord } from '../../../host/text/mutes.js';
import {
  accountLabel,
  checkedWord,
  findingWithService,
  maxLabelChars,
  missingScopesWord,
  notifyingWord,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import type { Deployment } from '../../../model/findings/deployment.js';
import type { AccountFinding } from '../../../model/findings/findings.js';
import type { State } from '../../../model/findings/order.js';
import { stateOfFinding } from '../../../model/findings/state.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { accountHover } from '../../hover.js';
import { boldTitle, escaped, listHover, markdown } from '../../markdown.js';
import { muteNoteWord } from '../../muteNotes.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

/** The icon of an account. One that works has no state's icon, because most of them do. */
export function accountIcon(state: State): vscode.ThemeIcon {
  if (state === 'satisfied') return icon('account');
  if (state === 'muted') return icon('bell-slash', 'disabledForeground');
  return stateIcons[state];
}

/**
 * "Finance Slack", beside it "token_revoked · in 4 deployments"; spoken with the state in words.
 */
export function accountRow(element: ElementOf<'account'>, context: RowContext): RowContent {
  const { finding, role, missing, deployment } = element;
  if (!finding) return absentAccountRow(element);
  const { impact, memory, now } = context;
  const { account, problem } = finding;
  const state = stateOfFinding(finding, memory);
  const label = accountLabel(account, maxLabelChars);
  const isOutdated = account.id !== undefined && impact.isOutdated(deployment.id, account.id);
  const outdatedAnswer = isOutdated ? deployment.answer : undefined;

  const muted = mutedWord(problem, memory, now) ?? changedSinceMutedWord(problem, memory);
  const muteNote = muteNoteWord(finding, deployment, context);
  const unknown = finding.state === 'unknown' ? stateWord('unknown') : undefined;
  const lacking = missing && missingScopesWord([missing.first], missing.count - 1);
  const shared = inDeploymentsWord(impact.countHolders(account.id));
  const notifying = notifyingWord([problem], memory);
  // A code alone says nothing without the icon.
  const spokenState = problem
    ? [stateWord('failed'), account.error?.code, muted]
    : [unknown ?? vscode.l10n.t('no error')];
  return {
    label,
    description: joinWithDots(
      unknown,
      problem && failureText(finding, role),
      muted,
      muteNote,
      outdatedAnswer && asOfRowTime(outdatedAnswer.asOf, now),
      lacking,
      problem && role === 'bound' ? undefined : roleWord(role),
      shared,
      notifying,
    ),
    icon: accountIcon(state),
    spoken: [
      label,
      vscode.l10n.t('account'),
      ...spokenState,
      muteNote,
      lacking,
      account.serviceId,
      checkedWord(account, deployment, now),
      shared,
      roleWord(role),
      notifying,
    ],
    asOf: outdatedAnswer && asOfTime(outdatedAnswer.asOf, now),
    contextValue: menuFor(contextValues.account, [problem], memory),
    state,
  };
}

/** "acc_9", beside it "not in this deployment · bound": an ID that none of the accounts has. */
function absentAccountRow({ role, copyId, deployment }: ElementOf<'account'>): RowContent {
  const label = copyId ?? vscode.l10n.t('unnamed account');
  const word = isCertainlyAbsent(deployment)
    ? vscode.l10n.t('not in this deployment')
    : stateWord('unknown');
  return {
    label,
    description: joinWithDots(word, roleWord(role)),
    icon: icon('question'),
    spoken: [label, vscode.l10n.t('account'), word, roleWord(role)],
    contextValue: contextValues.account,
  };
}

/**
 * Whether an account that is not among the deployment's accounts is none that could not be read.
 */
function isCertainlyAbsent({ answer }: Deployment): boolean {
  return answer?.findings.namesAllAccounts === true;
}

/**
 * `connected`: the account's own row below the deployment. `bound` and `eligible`: a row below a
 * requirement, for its account or one that it could use.
 */
type Role = ElementOf<'account'>['role'];

/**
 * For an account that has failed: "token_revoked" in its own row, "failed: token_revoked" below a
 * requirement, "failed" if the platform sent no code.
 */
function failureText({ account }: AccountFinding, role: Role): string {
  const { error } = account;
  if (!error?.code) return stateWord('failed');
  const code = shortenMiddle(error.code);
  return role === 'connected' ? code : vscode.l10n.t('failed: {code}', { code });
}

/** "bound", "eligible"; `undefined` in the account's own row. */
function roleWord(role: Role): string | undefined {
  switch (role) {
    case 'connected':
      return undefined;
    case 'bound':
      return vscode.l10n.t({ message: 'bound', comment: 'Account' });
    case 'eligible':
      return vscode.l10n.t({ message: 'eligible', comment: 'Account' });
  }
}

/** "3 accounts" that work. */
export function accountsRow({ findings }: ElementOf<'accounts'>): RowContent {
  const count = numberText(findings.length);
  const label = plural(
    findings.length,
    vscode.l10n.t('{count} account', { count }),
    vscode.l10n.t('{count} accounts', { count }),
  );
  return { label, icon: accountIcon('satisfied'), spoken: [label, vscode.l10n.t('no error')] };
}

/** "**3 accounts**", below it a list: "Finance Slack (slack)". */
export function accountsHover(element: ElementOf<'accounts'>): vscode.MarkdownString {
  return listHover(accountsRow(element).label, element.findings, findingWithService);
}

/**
 * "Checked 3 hours ago"; spoken with "Checked by the platform on Nov 20, 2026, 9:14:03 AM GMT+1."
 */
export function checkRow(
  { finding, deployment }: ElementOf<'check'>,
  { now }: RowContext,
): RowContent {
  const { checkedAt } = finding.account;
  const label = capitalized(checkedWord(finding.account, deployment, now) ?? '');
  const absolute =
    checkedAt &&
    vscode.l10n.t('Checked by the platform on {time}.', { time: absoluteTime(checkedAt) });
  return {
    label,
    icon: icon('history'),
    spoken: [label, absolute, deployment.answer && clockSkewText(deployment.answer)],
  };
}

/** "token_revoked", beside it the platform's message. */
export function accountErrorRow(
  { finding }: ElementOf<'accountError'>,
  { memory }: RowContext,
): RowContent {
  const { error } = finding.account;
  const label = error?.code || stateWord('failed');
  return {
    label,
    description: error?.message,
    icon: stateIcons[stateOfFinding(finding, memory)],
    spoken: [label, vscode.l10n.t('error of the account'), error?.message],
  };
}

/** The hover of the account, in its row and in those of its error and its check. */
export function accountRowHover(
  element: ElementOf<'account' | 'accountError' | 'check'>,
  context: RowContext,
): vscode.MarkdownString {
  const { finding, deployment, copyId } = element;
  if (finding) return accountHover(finding, deployment, context);
  return markdown(
    boldTitle(copyId ?? vscode.l10n.t('unnamed account')),
    escaped(
      isCertainlyAbsent(deployment)
        ? vscode.l10n.t(
            'The requirement names this account, but the response has no account with this ID.',
          )
        : vscode.l10n.t(
            'The requirement names this account, which may be one that could not be read.',
          ),
    ),
  );
}
