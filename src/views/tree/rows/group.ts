import * as vscode from 'vscode';
import { icon, stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { countsText, inDeploymentsWord } from '../../../host/text/deployment.js';
import { numberText, parts } from '../../../host/text/format.js';
import { accountLabel, mutedWord } from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { countDeployments } from '../../../model/deployment.js';
import { shorten, shortenMiddle } from '../../../model/inertText.js';
import type { GroupElement } from '../../../model/tree/elements.js';
import { escaped, markdown, title } from '../../markdown.js';
import { type Looks, menuFor, type Row, type RowContext } from '../row.js';
import { accountHover } from './account.js';

/** Grouped by account: the accounts, their deployments, and the deployments of which the accounts are not known. */
export const groupRows = {
  group: { row: groupRow, hover: groupHover },
  /** "3 unknown, 1 not read yet"; its button groups by deployment. */
  unseen: {
    row: ({ deployments }) => {
      const label = countsText(countDeployments(deployments));
      return { label, icon: icon('question'), spoken: [label], contextValue: contextValues.unseen };
    },
    hover: ({ deployments }) =>
      markdown(
        title(countsText(countDeployments(deployments))),
        escaped(vscode.l10n.t('Not every account of these deployments is known. Group by deployment to see them.')),
      ),
  },
} satisfies Looks<'group' | 'unseen'>;

function groupRow({ account, finding, state, deployments }: GroupElement, { now }: RowContext): Row {
  const { unsatisfied = 0 } = account ?? {};
  const label = finding ? accountLabel(finding.account) : noAccount();
  const { error, serviceId } = finding?.account ?? {};
  const wrong = finding?.problem && (error?.code || stateWord('failed'));
  const heldUp =
    unsatisfied > 0 ? vscode.l10n.t('{count} not satisfied', { count: numberText(unsatisfied) }) : undefined;
  const word = wrong ? shortenMiddle(wrong) : (heldUp ?? (state === 'unknown' ? stateWord(state) : undefined));
  const shared = inDeploymentsWord(deployments.length);
  const service = serviceId && shorten(serviceId);
  return {
    label,
    cut: state !== 'satisfied',
    description: parts(mutedWord(finding?.problem, now), word, shared, wrong ? heldUp : undefined, service),
    icon: stateIcon(state),
    spoken: [
      label,
      vscode.l10n.t('account'),
      stateWord(state),
      wrong,
      mutedWord(finding?.problem, now),
      shared,
      heldUp,
      serviceId,
    ],
    contextValue: menuFor(contextValues.account, [finding?.problem]),
    state,
  };
}

function groupHover({ account }: GroupElement, context: RowContext): vscode.MarkdownString {
  return account
    ? accountHover(account.finding, account.newest.deployment, context)
    : markdown(
        title(noAccount()),
        escaped(vscode.l10n.t('These requirements are bound to no account of their deployment.')),
      );
}

function noAccount(): string {
  return vscode.l10n.t('No account');
}
