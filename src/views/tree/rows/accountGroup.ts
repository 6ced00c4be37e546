import * as vscode from 'vscode';
import { stateIcons } from '../../../host/icons.js';
import { contextValues } from '../../../host/ids.js';
import { allCountsText, inDeploymentsWord, staleWord } from '../../../host/text/deployment.js';
import { joinWithDots, numberText } from '../../../host/text/format.js';
import { changedSinceMutedWord, mutedWord, mutedWordOfSeveral } from '../../../host/text/mutes.js';
import { accountLabel, maxLabelChars, newWord, notifyingWord } from '../../../host/text/problem.js';
import { stateWord } from '../../../host/text/states.js';
import { countDeployments } from '../../../model/findings/deployment.js';
import type { Problem } from '../../../model/findings/findings.js';
import { unmutedProblems } from '../../../model/findings/state.js';
import { shortenMiddle } from '../../../model/inertText.js';
import type { SharedAccount } from '../../../model/problems/impact.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { accountHover } from '../../hover.js';
import { boldTitle, escaped, markdown } from '../../markdown.js';
import { muteNoteWord, partlyMutedWord } from '../../muteNotes.js';
import { menuFor, type RowContent, type RowContext } from '../row.js';
import { accountIcon } from './account.js';

/**
 * "Finance Slack", beside it "token_revoked · in 4 deployments · 2 not satisfied"; "No account" for
 * the group without `account` and `finding`, of which there are always both or neither.
 */
export function accountGroupRow(group: ElementOf<'accountGroup'>, context: RowContext): RowContent {
  const { memory } = context;
  const { account, finding, state } = group;
  const label = finding ? accountLabel(finding.account, maxLabelChars) : noAccount();
  const words = groupWords(group, context);
  // Without a failure there is no step to copy.
  const accountMenu = finding?.problem ? contextValues.account : `${contextValues.account} works`;
  return {
    label,
    description: groupDescription(group, words),
    icon: account ? accountIcon(state) : stateIcons[state],
    spoken: [label, vscode.l10n.t('account'), ...spokenGroupWords(group, words)],
    contextValue: menuFor(
      account ? accountMenu : contextValues.noAccount,
      problemsIn(group, context),
      memory,
    ),
    state,
  };
}

/** What a group's row says in its description and to a screen reader. */
interface GroupWords {
  /** "token_revoked"; "failed" without a code; absent if the account has not failed. */
  readonly failed: string | undefined;
  /** "2 not satisfied" */
  readonly notSatisfied: string | undefined;
  /** "muted until Friday", "muted for everyone in 1 of 2", "mute no longer needed" */
  readonly muted: string | undefined;
  /** "stale, read 2 hours ago" */
  readonly stale: string | undefined;
  /** "failed in 2 of 3" */
  readonly disputed: string | undefined;
  /** "in 4 deployments" */
  readonly shared: string | undefined;
  /** "new", if a problem came while the user was away. */
  readonly newText: string | undefined;
  /** "notifies when fixed" */
  readonly notifying: string | undefined;
}

function groupWords(group: ElementOf<'accountGroup'>, context: RowContext): GroupWords {
  const { memory, now } = context;
  const { account, finding, requirements, deployments, unsatisfiedCount } = group;
  const requirementProblems = requirements.flatMap(({ problem }) => problem ?? []);
  return {
    failed: finding?.problem && (finding.account.error?.code || stateWord('failed')),
    notSatisfied:
      unsatisfiedCount > 0
        ? vscode.l10n.t('{count} not satisfied', { count: numberText(unsatisfiedCount) })
        : undefined,
    muted: muteWords(group, context),
    stale: account && staleWord(account.newest.deployment, now),
    disputed: account && disputedWord(account),
    shared: inDeploymentsWord(deployments.length),
    newText: newWord(hasNewProblem(group, context)),
    notifying: notifyingWord([finding?.problem, ...requirementProblems], memory),
  };
}

/** What the row says of mutes: of the account, or of the requirements that are bound to it. */
function muteWords(
  { account, finding, requirements, state }: ElementOf<'accountGroup'>,
  context: RowContext,
): string | undefined {
  const { memory, now } = context;
  const problem = finding?.problem;
  if (problem) {
    const unmutedWords = joinWithDots(
      changedSinceMutedWord(problem, memory),
      partlyMutedWord(finding, context),
    );
    return mutedWord(problem, memory, now) ?? unmutedWords;
  }
  const problems = requirements.flatMap((requirement) => requirement.problem ?? []);
  return joinWithDots(
    state === 'muted' ? mutedWordOfSeveral(problems, memory, now) : undefined,
    account && muteNoteWord(account.finding, account.newest.deployment, context),
  );
}

/** "token_revoked · in 4 deployments · 2 not satisfied", "failed in 2 of 3 · 1 not satisfied" */
function groupDescription({ state }: ElementOf<'accountGroup'>, words: GroupWords): string {
  const { failed, notSatisfied, muted, stale, disputed, shared, newText, notifying } = words;
  if (failed) {
    const code = shortenMiddle(failed);
    const where = disputed ?? shared;
    return joinWithDots(code, muted, stale, where, notSatisfied, newText, notifying);
  }
  const stateText = notSatisfied ?? (state === 'unknown' ? stateWord(state) : undefined);
  if (disputed) {
    // The icons of the rows below differ, so the reason for that comes first.
    return joinWithDots(disputed, stateText, muted, stale, newText, notifying);
  }
  return joinWithDots(stateText, muted, stale, shared, newText, notifying);
}

/** "failed", "token_revoked", "in 4 deployments", "2 not satisfied", "slack": each fact once. */
function spokenGroupWords(
  { finding, state }: ElementOf<'accountGroup'>,
  words: GroupWords,
): readonly (string | undefined)[] {
  const { notSatisfied, muted, stale, disputed, shared, newText, notifying } = words;
  const isStateCounted = state === 'notSatisfied' && notSatisfied !== undefined;
  const isStateSaid = disputed !== undefined || isStateCounted;
  const stateText = isStateSaid ? undefined : stateWord(state);
  return [
    state === 'muted' ? muted : stateText,
    disputed,
    finding?.problem && finding.account.error?.code,
    state === 'muted' ? undefined : muted,
    stale,
    disputed ? undefined : shared,
    notSatisfied,
    finding?.account.serviceId,
    newText,
    notifying,
  ];
}

/** Whether a problem of the group that is not muted came while the user was away. */
function hasNewProblem(
  { account, requirements }: ElementOf<'accountGroup'>,
  { memory, changesWhileAway }: RowContext,
): boolean {
  const findings = [...(account?.uses ?? []).map((use) => use.finding), ...requirements];
  const newProblems = findings
    .flatMap(({ problem }) => problem ?? [])
    .filter((problem) => changesWhileAway.isNew(problem.foundIn, problem));
  return unmutedProblems({ problems: newProblems }, memory).length > 0;
}

/**
 * The problem of the account, if it has failed by the newest answer, and those of the requirements.
 * An entry of a folder may mute the account in some deployments alone: then the problem in each.
 */
function problemsIn(
  { account, finding, requirements }: ElementOf<'accountGroup'>,
  { muteEntries }: RowContext,
): readonly Problem[] {
  const mayDiffer = finding?.problem && muteEntries.current.namesAccount(finding.account);
  const uses = mayDiffer ? (account?.uses ?? []) : [];
  const found = [finding, ...uses.map((use) => use.finding), ...requirements];
  return found.flatMap((one) => one?.problem ?? []);
}

/** "failed in 2 of 3"; `undefined` unless the last answers of the deployments disagree. */
function disputedWord({ uses }: SharedAccount): string | undefined {
  const failed = uses.filter(({ finding }) => finding.problem !== undefined).length;
  if (failed === 0 || failed === uses.length) return undefined;
  const values = { count: numberText(failed), total: numberText(uses.length) };
  return vscode.l10n.t('failed in {count} of {total}', values);
}

/**
 * "2 unknown, 1 not read yet": the deployments whose accounts are unknown; if there is no group,
 * all deployments that are shown.
 */
export function unseenRow({ deployments }: ElementOf<'unseen'>): RowContent {
  const label = allCountsText(countDeployments(deployments));
  const state = deployments[0]?.state ?? 'unknown';
  return { label, icon: stateIcons[state], spoken: [label], contextValue: contextValues.unseen };
}

/** "**2 unknown**", below it "The accounts of these deployments are not known yet." */
export function unseenHover({ deployments }: ElementOf<'unseen'>): vscode.MarkdownString {
  const areAccountsUnknown = deployments.some(
    ({ state }) => state === 'unknown' || state === 'notYetRead',
  );
  const sentence = areAccountsUnknown
    ? vscode.l10n.t('The accounts of these deployments are not known yet.')
    : vscode.l10n.t('These deployments have no accounts.');
  return markdown(boldTitle(allCountsText(countDeployments(deployments))), escaped(sentence));
}

/** The hover of the account, as its newest answer describes it; else of the row "No account". */
export function accountGroupHover(
  { account, finding }: ElementOf<'accountGroup'>,
  context: RowContext,
): vscode.MarkdownString {
  if (account && finding) return accountHover(finding, account.newest.deployment, context);
  return markdown(
    boldTitle(noAccount()),
    escaped(
      vscode.l10n.t(
        'These requirements are not bound to any account of their deployment, or are bound to one that was not read.',
      ),
    ),
  );
}

/** "No account": the label of the requirements that are bound to none. */
function noAccount(): string {
  return vscode.l10n.t('No account');
}
