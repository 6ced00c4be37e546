import { firstWithMore, joinSentences, joinWithDots, listText } from '../../host/text/format.js';
import { day } from '../../model/base/time.js';
import { shortName } from '../../model/deploymentNames.js';
import { type MuteEntry, startOfDay } from '../../model/entered/muteEntries.js';
import type { Deployment } from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import { mutedProblems } from '../../model/findings/state.js';
import { inertProse } from '../../model/inertText.js';
import type { PlacedText } from '../list/position.js';
import type { CheckMutes } from '../mutes.js';
import { problemWords } from './words.js';

/** How many days ahead the check says that a mute ends. */
const maxDaysLeft = 7;
/** How many of the deployments in which something is muted are named. */
const maxNames = 3;

/** A mute that holds, with where its entry stands. */
export interface MutedLine extends PlacedText {
  readonly endsSoon: boolean;
}

/** An entry that mutes a problem, and the deployments in which it does. */
interface MutedProblem {
  readonly problem: Problem;
  readonly deployments: Deployment[];
}

/**
 * Returns a line for each entry that mutes a problem of these deployments, the one that ends first
 * at the top: "Finance Slack failed (token_revoked) in Billing sync, Lead intake: muted for
 * everyone until 2026-12-31 (App review at Slack, FIN-1234). It ends in 3 days."
 */
export function mutedLines(
  deployments: readonly Deployment[],
  mutes: CheckMutes,
): readonly MutedLine[] {
  const muted = mutedByEntry(deployments, mutes);
  const lines = Array.from(muted, ([entry, problem]) => ({
    entry,
    position: mutes.positionOf(entry),
    text: joinSentences(mutedText(entry, problem), endText(entry, mutes.now)),
    endsSoon: daysLeft(entry, mutes.now) <= maxDaysLeft,
  }));
  return lines.toSorted((a, b) => a.entry.endsAt - b.entry.endsAt);
}

function mutedByEntry(
  deployments: readonly Deployment[],
  mutes: CheckMutes,
): ReadonlyMap<MuteEntry, MutedProblem> {
  const muted = new Map<MuteEntry, MutedProblem>();
  for (const deployment of deployments) {
    for (const problem of mutedProblems(deployment.answer?.findings, mutes)) {
      const entry = mutes.entryFor(problem);
      if (entry === undefined) continue;
      const known = muted.get(entry);
      if (known) known.deployments.push(deployment);
      else muted.set(entry, { problem, deployments: [deployment] });
    }
  }
  return muted;
}

/** The line without when the mute ends. */
function mutedText({ until, reason }: MuteEntry, { problem, deployments }: MutedProblem): string {
  const names = firstWithMore(deployments, maxNames, (one) => shortName(one));
  const where = `${problemWords(problem)} in ${listText(names)}`;
  return `${where}: muted for everyone until ${until} (${reason}).`;
}

/** "It ends in 3 days.", "It ends today."; `undefined` for a mute that does not end soon. */
function endText(entry: MuteEntry, now: number): string | undefined {
  const days = daysLeft(entry, now);
  if (days > maxDaysLeft) return undefined;
  if (days === 0) return 'It ends today.';
  return days === 1 ? 'It ends tomorrow.' : `It ends in ${days} days.`;
}

/** Returns how many days, by UTC, are left after today. */
function daysLeft({ endsAt }: MuteEntry, now: number): number {
  return (endsAt - startOfDay(now)) / day - 1;
}

/**
 * The Markdown of until when a problem is muted, and why: "2026-12-31 · App review at Slack,
 * `FIN-1234` · It ends in 3 days."; empty for a problem that is not muted.
 */
export function endMarkdown(problem: Problem, mutes: CheckMutes): string {
  const entry = mutes.entryFor(problem);
  if (entry === undefined) return '';
  return joinWithDots(entry.until, inertProse(entry.reason), endText(entry, mutes.now));
}
