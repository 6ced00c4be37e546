import * as vscode from 'vscode';
import { stateIcon } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { countsText, inDeploymentsWord, staleWord } from '../../../host/text/deployment.js';
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
      const [icon] = deployments.map(({ state }) => stateIcon(state));
      return { label, icon: icon ?? stateIcon('unknown'), spoken: [label], contextValue: contextValues.unseen };
    },
    hover: ({ deployments }) =>
      markdown(
        title(countsText(countDeployments(deployments))),
        escaped(
          deployments.some(({ state }) => state === 'unknown' || state === 'notYetRead')
            ? vscode.l10n.t('Not every account of these deployments is known. Group by deployment to see them.')
            : vscode.l10n.t('These deployments have no account. Group by deployment to see them.'),
        ),
      ),
  },
} satisfies Looks<'group' | 'unseen'>;

function groupRow({ account, finding, requirements, state, deployments }: GroupElement, { now }: RowContext): Row {
  const label = finding ? accountLabel(finding.account) : noAccount();
  const { error, serviceId } = finding?.account ?? {};
  const problems = [finding?.problem, ...requirements.map(({ problem }) => problem)];
  const muted = problems.find((problem) => problem?.mutedUntil !== undefined);
  const mutedUntil = mutedWord(finding?.problem ?? (state === 'muted' ? muted : undefined), now);
  const wrong = finding?.problem && (error?.code || stateWord('failed'));
  const unsatisfied = requirements.filter((requirement) => requirement.state === 'notSatisfied').length;
  const heldUp =
    unsatisfied > 0 ? vscode.l10n.t('{count} not satisfied', { count: numberText(unsatisfied) }) : undefined;
  const word = wrong ? shortenMiddle(wrong) : (heldUp ?? (state === 'unknown' ? stateWord(state) : undefined));
  const stale = account && staleWord(account.newest.deployment, now);
  const shared = inDeploymentsWord(deployments.length);
  const service = serviceId && shorten(serviceId);
  return {
    label,
    description: parts(mutedUntil, word, stale, shared, wrong ? heldUp : undefined, service),
    icon: stateIcon(state),
    spoken: [
      label,
      vscode.l10n.t('account'),
      state === 'muted' ? mutedUntil : stateWord(state),
      wrong,
      stale,
      shared,
      heldUp,
      serviceId,
    ],
    contextValue: menuFor(account ? contextValues.account : contextValues.noAccount, problems),
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
