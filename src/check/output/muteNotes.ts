import { accountLabel, requirementLabel } from '../../host/text/problem.js';
import { shortName } from '../../model/deploymentNames.js';
import type { MuteEntry } from '../../model/entered/muteEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Finding } from '../../model/findings/findings.js';
import { type EntryState, muteSubjectOf } from '../../model/problems/mutes.js';
import type { PlacedText } from '../list/position.js';
import type { CheckMutes } from '../mutes.js';
import { problemWords } from './words.js';

/** An account or requirement that an entry names, in one deployment. */
interface Named {
  readonly finding: Finding;
  readonly deployment: Deployment;
}

/**
 * Returns what is to be said of entries that mute nothing, in the order of the files: that they
 * have ended, are obsolete or ambiguous, or that their problem has changed. What is not known of an
 * entry is said nowhere.
 */
export function muteNotes(
  deployments: readonly Deployment[],
  mutes: CheckMutes,
): readonly PlacedText[] {
  const states = mutes.statesIn(deployments);
  const namedByEntry = findNamed(deployments, mutes, states);
  return Array.from(states).flatMap(([entry, state]) => {
    const text = noteText(entry, state, namedByEntry.get(entry));
    return text === undefined ? [] : [{ position: mutes.positionOf(entry), text }];
  });
}

/** Returns for each entry the first account or requirement that is a reason for its state. */
function findNamed(
  deployments: readonly Deployment[],
  mutes: CheckMutes,
  states: ReadonlyMap<MuteEntry, EntryState>,
): ReadonlyMap<MuteEntry, Named> {
  const namedByEntry = new Map<MuteEntry, Named>();
  for (const deployment of deployments) {
    const { findings } = deployment.answer ?? {};
    if (findings === undefined) continue;
    for (const finding of [...findings.accountsById.values(), ...findings.requirements]) {
      for (const entry of mutes.entriesAbout(finding, deployment.id)) {
        const isReason = isReasonOf(states.get(entry), finding);
        if (isReason && !namedByEntry.has(entry)) namedByEntry.set(entry, { finding, deployment });
      }
    }
  }
  return namedByEntry;
}

function isReasonOf(state: EntryState | undefined, finding: Finding): boolean {
  switch (state) {
    case 'ambiguous':
      return true;
    case 'changed':
      // An error that could not be read may be the one that is muted.
      return finding.problem !== undefined && muteSubjectOf(finding.problem) !== undefined;
    case 'obsolete':
      return finding.state === 'works' || finding.state === 'satisfied';
    default:
      return false;
  }
}

/** Returns `undefined` for an entry that mutes something, or of which nothing is known. */
function noteText(
  { until }: MuteEntry,
  state: EntryState,
  named: Named | undefined,
): string | undefined {
  if (state === 'ended')
    return `This mute ended on ${until}. Remove the entry, or give it a later end.`;
  if (named === undefined) return undefined;
  switch (state) {
    case 'ambiguous':
      return ambiguousText(named);
    case 'changed':
      return changedText(named);
    case 'obsolete':
      return `${fineText(named)}, so this mute is obsolete. Remove the entry.`;
    default:
      return undefined;
  }
}

/** "Several requirements of Billing sync have the name notifier, or may have it, so …" */
function ambiguousText({ finding, deployment }: Named): string {
  return (
    `Several requirements of ${shortName(deployment)} have the name ${nameOf(finding)}, or may ` +
    'have it, so this entry mutes none of them. Remove the entry.'
  );
}

/** "Finance Slack failed (token_expired) in Billing sync, and has changed since it was muted. …" */
function changedText({ finding: { problem }, deployment }: Named): string {
  const words = problem ? problemWords(problem) : '';
  return (
    `${words} in ${shortName(deployment)}: this has changed since it was muted, so this entry ` +
    'mutes nothing. Change or remove the entry.'
  );
}

/** "Finance Slack works", "notifier is satisfied in Billing sync" */
function fineText({ finding, deployment }: Named): string {
  const name = nameOf(finding);
  const isAccount = 'account' in finding;
  return isAccount ? `${name} works` : `${name} is satisfied in ${shortName(deployment)}`;
}

function nameOf(finding: Finding): string {
  return 'account' in finding ? accountLabel(finding.account) : requirementLabel(finding);
}
