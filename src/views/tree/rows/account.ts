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
import {
  accountLabel,
  checkedWord,
  findingWithService,
  maxLabelChars,
  missingScopesWord,
  mutedWord,
  notifyingWord,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import type { State } from '../../../model/findings/order.js';
import { stateOfFinding } from '../../../model/findings/state.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { accountHover } from '../../hover.js';
import { boldTitle, escaped, listHover, markdown } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';

export function accountIcon(state: State): vscode.ThemeIcon {
  if (state === 'satisfied') return icon('account');
  return state === 'muted' ? icon('bell-slash', 'disabledForeground') : stateIcons[state];
}

export function accountRow(
  element: ElementOf<'account'>,
  { impact, memory, now }: RowContext,
): RowContent {
  const { finding, role, copyId, missing, deployment } = element;
  const { account = {}, problem } = finding ?? {};
  const state = finding && stateOfFinding(finding, memory);
  const { serviceId, error } = account;
  const label = finding
    ? accountLabel(account, maxLabelChars)
    : (copyId ?? vscode.l10n.t('unnamed account'));
  const doubt = doubtWord(element);
  const shared = finding && inDeploymentsWord(impact.countHolders(account.id));
  const muted = mutedWord(problem, memory, now);
  const notifying = notifyingWord([problem], memory);
  const isOutdated = account.id !== undefined && impact.isOutdated(deployment.id, account.id);
  const outdated = isOutdated ? deployment.answer : undefined;
  const lacking = missing && missingScopesWord([missing.first], missing.count - 1);
  const code = error?.code && shortenMiddle(error.code);
  const failed =
    code && role !== 'connected'
      ? vscode.l10n.t('failed: {code}', { code })
      : code || stateWord('failed');
  const known = problem && role === 'bound' ? undefined : roleWord(role);
  return {
    label,
    description: joinWithDots(
      doubt,
      problem && failed,
      muted,
      outdated && asOfRowTime(outdated.asOf, now),
      lacking,
      known,
      shared,
      notifying,
    ),
    icon: state ? accountIcon(state) : icon('question'),
    spoken: [
      label,
      vscode.l10n.t('account'),
      // A code alone says nothing without the icon.
      ...(problem
        ? [stateWord('failed'), error?.code, muted]
        : [doubt ?? vscode.l10n.t('no error')]),
      lacking,
      serviceId,
      checkedWord(account, deployment, now),
      shared,
      roleWord(role),
      notifying,
    ],
    asOf: outdated && asOfTime(outdated.asOf, now),
    contextValue: menuFor(contextValues.account, [problem], memory),
    state,
  };
}

/** "unknown"; `undefined` of an account that has failed or works, of which the icon says so. */
function doubtWord({ finding, deployment }: ElementOf<'account'>): string | undefined {
  if (finding && finding.state !== 'unknown') return undefined;
  const isAbsent = !finding && deployment.answer?.findings.namesAllAccounts === true;
  return isAbsent ? vscode.l10n.t('not in this deployment') : stateWord('unknown');
}

function roleWord(role: ElementOf<'account'>['role']): string | undefined {
  if (role === 'connected') return undefined;
  return role === 'bound'
    ? vscode.l10n.t({ message: 'bound', comment: 'Account' })
    : vscode.l10n.t({ message: 'eligible', comment: 'Account' });
}

export function accountsRow({ findings: { length } }: ElementOf<'accounts'>): RowContent {
  const count = numberText(length);
  const label = plural(
    length,
    vscode.l10n.t('{count} account', { count }),
    vscode.l10n.t('{count} accounts', { count }),
  );
  return { label, icon: accountIcon('satisfied'), spoken: [label, vscode.l10n.t('no error')] };
}

export function accountsHover(element: ElementOf<'accounts'>): vscode.MarkdownString {
  return listHover(accountsRow(element).label, element.findings, findingWithService);
}

export function checkRow(
  { finding, deployment }: ElementOf<'check'>,
  { now }: RowContext,
): RowContent {
  const { checkedAt } = finding.account;
  const label = capitalized(checkedWord(finding.account, deployment, now) ?? '');
  const checked =
    checkedAt &&
    vscode.l10n.t('Checked by the platform on {time}.', { time: absoluteTime(checkedAt) });
  return {
    label,
    icon: icon('history'),
    spoken: [label, checked, deployment.answer && clockSkewText(deployment.answer)],
  };
}

export function accountErrorRow(
  { finding }: ElementOf<'accountError'>,
  { memory }: RowContext,
): RowContent {
  const { code, message } = finding.account.error ?? {};
  const label = code || stateWord('failed');
  return {
    label,
    description: message,
    icon: stateIcons[stateOfFinding(finding, memory)],
    spoken: [label, vscode.l10n.t('error of the account'), message],
  };
}

export function accountRowHover(
  element: ElementOf<'account' | 'accountError' | 'check'>,
  context: RowContext,
): vscode.MarkdownString {
  const { finding, deployment, copyId } = element;
  if (finding) return accountHover(finding, deployment, context);
  const isAbsent = deployment.answer?.findings.namesAllAccounts === true;
  return markdown(
    boldTitle(copyId ?? vscode.l10n.t('unnamed account')),
    escaped(
      isAbsent
        ? vscode.l10n.t(
            'The requirement names this account, but the response has no account with this ID.',
          )
        : vscode.l10n.t(
            'The requirement names this account, which may be one that could not be read.',
          ),
    ),
  );
}
