import * as vscode from 'vscode';
import { stateIcons } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { allCountsText, inDeploymentsWord, staleWord } from '../../../host/text/deployment.js';
import { joinWithDots, numberText } from '../../../host/text/format.js';
import {
  accountLabel,
  maxLabelChars,
  mutedWord,
  newWord,
  notifyingWord,
} from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { countDeployments } from '../../../model/findings/deployment.js';
import { countedProblems, firstToBeUnmuted } from '../../../model/findings/state.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { SharedAccount } from '../../../model/problems/impact.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { accountHover } from '../../hover.js';
import { boldTitle, escaped, markdown } from '../../markdown.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { accountIcon } from './account.js';

export function groupRow(group: ElementOf<'group'>, context: RowContext): RowContent {
  const { memory, now } = context;
  const { account, finding, requirements, state, deployments, unsatisfied } = group;
  const label = finding ? accountLabel(finding.account, maxLabelChars) : noAccount();
  const { error, serviceId } = finding?.account ?? {};
  const ofRequirements = requirements.flatMap(({ problem }) => problem ?? []);
  const problems = [finding?.problem, ...ofRequirements];
  const ending = state === 'muted' ? firstToBeUnmuted(ofRequirements, memory) : undefined;
  const muted = mutedWord(finding?.problem ?? ending, memory, now);
  const wrong = finding?.problem && (error?.code || stateWord('failed'));
  const heldUp =
    unsatisfied > 0
      ? vscode.l10n.t('{count} not satisfied', { count: numberText(unsatisfied) })
      : undefined;
  const word = wrong
    ? shortenMiddle(wrong)
    : (heldUp ?? (state === 'unknown' ? stateWord(state) : undefined));
  const stale = account && staleWord(account.newest.deployment, now);
  const disputed = account && disputedWord(account);
  const where = inDeploymentsWord(deployments.length);
  // A count says the state, too.
  const isStateCounted =
    disputed !== undefined || (state === 'notSatisfied' && heldUp !== undefined);
  const said = isStateCounted ? undefined : stateWord(state);
  // The icons of the rows below differ, so what says why stands first.
  const facts =
    disputed && !wrong
      ? [disputed, word, muted, stale]
      : [word, muted, stale, disputed ?? where, wrong ? heldUp : undefined];
  const notifying = notifyingWord(problems, memory);
  const isNew = newWord(hasNew(group, context));
  // Of an account that works there is no step to copy.
  const accountMenu = finding?.problem ? contextValues.account : `${contextValues.account} works`;
  return {
    label,
    description: joinWithDots(...facts, isNew, notifying),
    icon: account ? accountIcon(state) : stateIcons[state],
    spoken: [
      label,
      vscode.l10n.t('account'),
      state === 'muted' ? muted : said,
      disputed,
      finding?.problem && error?.code,
      stale,
      disputed ? undefined : where,
      heldUp,
      serviceId,
      isNew,
      notifying,
    ],
    contextValue: menuFor(account ? accountMenu : contextValues.noAccount, problems, memory),
    state,
  };
}

/** Whether one of its problems that count came while the user was away. */
function hasNew(
  { deployments, finding, requirements }: ElementOf<'group'>,
  context: RowContext,
): boolean {
  const { memory, changesWhileAway } = context;
  const all = [finding?.problem, ...requirements.map(({ problem }) => problem)].filter(
    (one) => one !== undefined,
  );
  const counted = countedProblems({ problems: all }, memory);
  return counted.some((problem) =>
    deployments.some(({ id }) => changesWhileAway.isNew(id, problem)),
  );
}

/** "failed in 2 of 3", where the last answers of the deployments do not agree. */
function disputedWord({ uses }: SharedAccount): string | undefined {
  const failed = uses.filter(({ finding }) => finding.problem !== undefined).length;
  if (failed === 0 || failed === uses.length) return undefined;
  const words = { count: numberText(failed), total: numberText(uses.length) };
  return vscode.l10n.t('failed in {count} of {total}', words);
}

export function unseenRow({ deployments }: ElementOf<'unseen'>): RowContent {
  const label = allCountsText(countDeployments(deployments));
  const { state = 'unknown' } = deployments[0] ?? {};
  return { label, icon: stateIcons[state], spoken: [label], contextValue: contextValues.unseen };
}

export function unseenHover({ deployments }: ElementOf<'unseen'>): vscode.MarkdownString {
  return markdown(
    boldTitle(allCountsText(countDeployments(deployments))),
    escaped(
      deployments.some(({ state }) => state === 'unknown' || state === 'notYetRead')
        ? vscode.l10n.t('The accounts of these deployments are not known yet.')
        : vscode.l10n.t('These deployments have no accounts.'),
    ),
  );
}

export function groupHover(
  { account }: ElementOf<'group'>,
  context: RowContext,
): vscode.MarkdownString {
  return account
    ? accountHover(account.finding, account.newest.deployment, context)
    : markdown(
        boldTitle(noAccount()),
        escaped(
          vscode.l10n.t(
            'These requirements are not bound to any account of their deployment, or are bound to one that was not read.',
          ),
        ),
      );
}

function noAccount(): string {
  return vscode.l10n.t('No account');
}
