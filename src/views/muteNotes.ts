// What rows and hovers say of entries of `mutes` that name an account or a requirement, and where
// these entries stand.

import * as vscode from 'vscode';
import { joinSentences, listText, numberText, plural } from '../host/text/format.js';
import { accountLabel, requirementLabel } from '../host/text/problem.js';
import type { MuteEntry } from '../model/entered/muteEntries.js';
import { type Deployment, isUnreadable } from '../model/findings/deployment.js';
import type { AccountFinding, Finding, Problem } from '../model/findings/findings.js';
import type { EntryState } from '../model/problems/mutes.js';
import type { HoverContext } from './hoverContext.js';

/**
 * "mute no longer needed", "ambiguous mute": for a row; `undefined` without an entry, and for one
 * that mutes.
 */
export function muteNoteWord(
  finding: Finding,
  deployment: Deployment,
  context: HoverContext,
): string | undefined {
  switch (entryStateOf(finding, deployment, context)) {
    case 'obsolete':
      return vscode.l10n.t({ message: 'mute no longer needed', comment: 'Row' });
    case 'ambiguous':
      return vscode.l10n.t({ message: 'ambiguous mute', comment: 'Row' });
    default:
      return undefined;
  }
}

/**
 * "Finance Slack works, so the mute for everyone in .vscode/settings.json is obsolete. Remove the
 * entry.", or why an ambiguous entry mutes nothing; `undefined` where a row has no such word
 * either.
 */
export function muteNoteText(
  finding: Finding,
  deployment: Deployment,
  context: HoverContext,
): string | undefined {
  const state = entryStateOf(finding, deployment, context);
  if (state !== 'obsolete' && state !== 'ambiguous') return undefined;
  const entries = entriesAbout(finding, deployment, context);
  const values = { name: nameOf(finding), files: filesWith(entries, context) };
  const reason = state === 'ambiguous' ? ambiguousText(values) : obsoleteText(finding, values);
  const step = plural(
    entries.length,
    vscode.l10n.t('Remove the entry.'),
    vscode.l10n.t('Remove the entries.'),
  );
  return joinSentences(reason, step);
}

interface NoteValues extends Record<string, string> {
  readonly name: string;
  readonly files: string;
}

function ambiguousText(values: NoteValues): string {
  return vscode.l10n.t(
    'Several requirements of the deployment have this name, or may have it, so the mute for everyone in {files} mutes none of them.',
    values,
  );
}

function obsoleteText(finding: Finding, values: NoteValues): string {
  return 'account' in finding
    ? vscode.l10n.t('{name} works, so the mute for everyone in {files} is obsolete.', values)
    : vscode.l10n.t(
        '{name} is satisfied, so the mute for everyone in {files} is obsolete.',
        values,
      );
}

/**
 * "muted for everyone in 1 of 2", for the row of an account in all its deployments; `undefined`
 * unless it is muted in some of those where it has failed, but not in all.
 */
export function partlyMutedWord(
  finding: AccountFinding,
  context: HoverContext,
): string | undefined {
  const counts = partlyMuted(finding, context);
  return counts && vscode.l10n.t('muted for everyone in {count} of {total}', counts);
}

/** "Muted for everyone in 1 of 2 deployments.", as `partlyMutedWord`. */
export function partlyMutedText(
  finding: AccountFinding,
  context: HoverContext,
): string | undefined {
  const counts = partlyMuted(finding, context);
  return counts && vscode.l10n.t('Muted for everyone in {count} of {total} deployments.', counts);
}

function partlyMuted(finding: AccountFinding, { impact, memory, muteEntries }: HoverContext) {
  // Only an entry of a folder can mute an account in some deployments alone.
  const mayDiffer = muteEntries.current.namesAccount(finding.account);
  if (!mayDiffer || finding.problem === undefined) return undefined;
  const { id } = finding.account;
  const problems = impact.deploymentsWith(id).flatMap((holder) => {
    const there = holder.answer?.findings.accountsById.get(id ?? '')?.problem;
    return there && !isUnreadable(holder) ? there : [];
  });
  const muted = problems.filter((problem) => memory.muteOf(problem) !== undefined);
  if (muted.length === 0 || muted.length === problems.length) return undefined;
  return { count: numberText(muted.length), total: numberText(problems.length) };
}

/** ".vscode/settings.json": the files with the entry that mutes this problem. */
export function filesWithMute(problem: Problem, context: HoverContext): string {
  const { muteEntries, now } = context;
  const entry = muteEntries.current.entryFor(problem, now);
  return filesWith(entry ? [entry] : [], context);
}

/** "web/.vscode/settings.json and acme.code-workspace": the files with one of these entries. */
function filesWith(entries: readonly MuteEntry[], { muteEntries }: HoverContext): string {
  const names = muteEntries.scopesOf(entries).map(({ name }) => name);
  return listText(names, 'long');
}

function nameOf(finding: Finding): string {
  return 'account' in finding ? accountLabel(finding.account) : requirementLabel(finding);
}

/** Returns the entries that name this account or requirement and have not ended. */
function entriesAbout(
  finding: Finding,
  { id }: Deployment,
  { muteEntries, now }: HoverContext,
): readonly MuteEntry[] {
  return muteEntries.current.entriesAbout(finding, id).filter(({ endsAt }) => endsAt > now);
}

function entryStateOf(
  finding: Finding,
  deployment: Deployment,
  context: HoverContext,
): EntryState | undefined {
  // Finding the deployments of an account takes time, and few accounts have an entry.
  if (entriesAbout(finding, deployment, context).length === 0) return undefined;
  const { muteEntries, impact, now } = context;
  const holders = 'account' in finding ? impact.deploymentsWith(finding.account.id) : [deployment];
  return muteEntries.current.stateOf(finding, deployment.id, holders, now);
}
