import { l10n } from 'vscode';
import { minute } from '../../model/base/time.js';
import {
  type Counts,
  type Deployment,
  isUnreadable,
  type LastAnswer,
} from '../../model/findings/deployment.js';
import type { Problem } from '../../model/findings/findings.js';
import {
  firstToBeUnmuted,
  type Mutes,
  mutedProblems,
  unmutedProblems,
} from '../../model/findings/state.js';
import { asOfTime, maxVerdictChars } from './cause.js';
import { failureWordInRow } from './failure.js';
import { capitalized, joinWithDots, listText, numberText, plural, relativeTime } from './format.js';
import { groupWordChars, withGroups, withGroupsWithin } from './groups.js';
import { mutedWord, muteEndWord, muteReason } from './mutes.js';
import { findingWithService, mutedName, nameList, problemWord } from './problem.js';
import { deploymentStateWord, stateWord } from './states.js';

interface SummaryContext {
  /** Epoch ms. */
  readonly now: number;
  /** Knows which problems are muted. */
  readonly memory: Mutes;
}

/**
 * What stands beside a deployment's name in its row: "Not found · stale, read 5 minutes ago", "not
 * read yet", "Finance Slack failed +2", "2 unknown · 1 field unreadable", "notifier +1 · muted
 * until Friday"; empty if the deployment is healthy.
 */
export function deploymentSummary(deployment: Deployment, context: SummaryContext): string {
  const { answer, failedRead } = deployment;
  const { now, memory } = context;
  // An unreadable deployment always has a failed read, which TypeScript does not know.
  if (failedRead && isUnreadable(deployment)) {
    const failureWord = capitalized(failureWordInRow(failedRead.failure));
    return joinWithDots(failureWord, staleWord(deployment, now));
  }
  if (!answer) return stateWord('notYetRead');

  const problems = unmutedProblems(answer.findings, memory);
  const [worst] = problems;
  if (worst) return problemWord(worst, problems.length - 1);
  return summaryWithoutProblems(answer, context);
}

/** "2 unknown · 1 field unreadable · notifier +1 · muted until Friday" */
function summaryWithoutProblems(answer: LastAnswer, { now, memory }: SummaryContext): string {
  const unknownCount = answer.findings.unknownFindings.length;
  const unknownWord =
    unknownCount > 0 ? l10n.t('{count} unknown', { count: numberText(unknownCount) }) : undefined;
  const muted = mutedProblems(answer.findings, memory);
  const firstMuted = firstToBeUnmuted(muted, memory);
  return joinWithDots(
    unknownWord,
    unreadableFieldsWord(answer.decodeIssues.length),
    // The name of what is muted stands before the time, because VS Code cuts the end.
    firstMuted && mutedName(firstMuted, muted.length - 1),
    mutedWord(firstMuted, memory, now),
  );
}

/** "in 4 deployments"; `undefined` for one deployment or none. */
export function inDeploymentsWord(count: number): string | undefined {
  return count > 1 ? l10n.t('in {count} deployments', { count: numberText(count) }) : undefined;
}

/**
 * "stale, read 5 minutes ago", in the first minute "stale"; `undefined` if there is no answer, or
 * if no read has failed since. `now`: epoch ms.
 */
export function staleWord({ answer, failedRead }: Deployment, now: number): string | undefined {
  if (!answer || !failedRead) return undefined;
  if (now - answer.asOf < minute) return l10n.t('stale');
  return l10n.t('stale, read {time}', { time: relativeTime(answer.asOf, now) });
}

/** "2 fields unreadable"; `undefined` for none. */
export function unreadableFieldsWord(count: number): string | undefined {
  if (count === 0) return undefined;
  const values = { count: numberText(count) };
  return plural(
    count,
    l10n.t('{count} field unreadable', values),
    l10n.t('{count} fields unreadable', values),
  );
}

const maxCauses = 3;

/**
 * "Failing · Finance Slack failed", "Unknown · Not found", "Muted until Friday · Finance Slack
 * failed", "Healthy": for quick picks and screen readers. No colon stands between the parts,
 * because a cause has one in other languages („Fehler: Finance Slack“).
 */
export function stateWithCauses(deployment: Deployment, { now, memory }: SummaryContext): string {
  const { answer, failedRead, state } = deployment;
  if (state === 'muted') {
    const firstMuted = firstToBeUnmuted(mutedProblems(answer?.findings, memory), memory);
    if (firstMuted) {
      return capitalized(mutedProblemWord(firstMuted, { now, memory }));
    }
  }

  const stateName = capitalized(deploymentStateWord(state));
  if (failedRead && isUnreadable(deployment)) {
    return joinWithDots(stateName, failureWordInRow(failedRead.failure));
  }
  return joinWithDots(stateName, causeNames(answer, memory));
}

/**
 * "muted until Friday · Finance Slack failed", "muted for everyone until Dec 31 · Finance Slack
 * failed · App review at Slack, FIN-1234". The reason, which can be long, comes last, because VS
 * Code cuts the end.
 */
function mutedProblemWord(problem: Problem, { now, memory }: SummaryContext): string {
  const mute = memory.muteOf(problem);
  const end = mute && muteEndWord(mute, now);
  return joinWithDots(end, problemWord(problem), mute && muteReason(mute));
}

/**
 * "Finance Slack failed, missing channels:read, 2 more"; without problems what is unknown:
 * "notifier (slack)"; empty if there is neither.
 */
function causeNames(answer: LastAnswer | undefined, memory: Mutes): string {
  const problems = unmutedProblems(answer?.findings, memory);
  if (problems.length > 0) {
    return nameList(problems, (problem) => problemWord(problem), maxCauses);
  }
  return nameList(answer?.findings.unknownFindings ?? [], findingWithService, maxCauses);
}

/**
 * "7 failing, 2 unknown", "None failing, 2 muted", "17 healthy"; empty if there is no deployment.
 * Healthy ones are counted only where all are healthy.
 */
export function allCountsText(counts: Counts): string {
  const { failing, muted, healthy } = counts;
  const countTexts = notHealthyCounts(counts);
  if (countTexts.length === 0) {
    return healthy > 0 ? l10n.t('{count} healthy', { count: numberText(healthy) }) : '';
  }
  const isKnownThatNoneFails = failing === 0 && healthy + muted > 0;
  return listText(isKnownThatNoneFails ? [l10n.t('None failing'), ...countTexts] : countTexts);
}

/** "2 failing, 1 unknown of 40", "40 healthy": the counts of a group. */
export function countsOfTotal(counts: Counts): string {
  const countTexts = notHealthyCounts(counts);
  if (countTexts.length === 0) return allCountsText(counts);
  return l10n.t({
    message: '{counts} of {total}',
    args: { counts: listText(countTexts), total: numberText(counts.total) },
    comment: '“2 failing, 1 unknown of 40”: 40 is the number of deployments in a group',
  });
}

/**
 * "160 in other groups · 3 failing": the deployments that no count covers because the user has
 * chosen other groups.
 */
export function otherGroupsText(counts: Counts): string {
  const { total, failing, unknown } = counts;
  const others = l10n.t('{count} in other groups', { count: numberText(total) });
  const states = notHealthyCounts({ ...counts, notYetRead: 0, muted: 0 });
  return joinWithDots(others, failing + unknown > 0 ? listText(states) : undefined);
}

/**
 * The counts of the deployments that count, after the groups that the user has chosen, and with the
 * workspace's list if that is ignored: "1 healthy, workspace list ignored", "payments +1 · 7
 * failing · as of 9:51 PM". `asOf`: epoch ms, for counts of an earlier time.
 */
export function allCountsWithTime(counts: Counts, asOf?: number): string {
  const asOfText = asOf === undefined ? undefined : asOfTime(asOf);
  const text = joinWithDots(countsWithIgnoredList(counts), asOfText);
  return withGroups(counts.groups, text, groupWordChars.sentence);
}

/** "1 healthy, workspace list ignored"; empty if there is no deployment. */
function countsWithIgnoredList(counts: Counts): string {
  const countsText = allCountsText(counts);
  const isListToBeNamed = counts.isListIgnored && countsText !== '';
  return isListToBeNamed ? withIgnoredList(countsText).long : countsText;
}

/**
 * "7 failing", "payments +1 · 7 failing"; where none fails, all counts: "None failing, 2 muted",
 * "17 healthy". `undefined` if none fails while some are read for the first time (`isReading`).
 */
export function failingOrAllCounts(counts: Counts, isReading: boolean): string | undefined {
  const { groups, failing, notYetRead } = counts;
  const isFirstReading = isReading && notYetRead > 0;
  if (failing === 0 && isFirstReading) return undefined;
  const shown = failing > 0 ? { ...counts, unknown: 0, notYetRead: 0, muted: 0 } : counts;
  return withGroups(groups, countsWithIgnoredList(shown));
}

/**
 * Texts from which a surface takes the first one that fits, at least one: "None failing, 3 unknown,
 * 2 muted", "3 unknown". If the workspace's list is ignored, texts that say so come first, the
 * longest first: "None failing, 3 unknown, 2 muted, workspace list ignored".
 */
export function verdictsToChooseFrom(counts: Counts): readonly string[] {
  const plainVerdicts = verdictsWithoutIgnoredList(counts);
  if (!counts.isListIgnored) return plainVerdicts;
  return [...verdictsWithIgnoredList(counts), ...plainVerdicts];
}

/**
 * "None failing, 3 unknown, workspace list ignored", "3 unknown, workspace list ignored", "3
 * unknown, workspace list ignored", "3 unknown, list ignored": the longest first. The last two are
 * those of `shortestVerdictsWithIgnoredList`.
 */
export function verdictsWithIgnoredList(counts: Counts): readonly string[] {
  const longVerdicts = verdictsWithoutIgnoredList(counts).map(
    (verdict) => withIgnoredList(verdict).long,
  );
  return [...longVerdicts, ...shortestVerdictsWithIgnoredList(counts)];
}

/** "3 unknown, workspace list ignored" and "3 unknown, list ignored": the longer one first. */
export function shortestVerdictsWithIgnoredList(counts: Counts): readonly [string, string] {
  const shortestVerdict = verdictsWithoutIgnoredList(counts).at(-1) ?? '';
  const { long, short } = withIgnoredList(shortestVerdict);
  return [long, short];
}

/**
 * "None failing, 3 unknown, 2 muted", then "3 unknown": the longest first. With a failing
 * deployment "7 failing", without any answer "nothing read yet". With chosen groups "payments +1 ·
 * 7 failing".
 */
function verdictsWithoutIgnoredList(counts: Counts): readonly string[] {
  const { groups } = counts;
  const allCounts = allCountsText(counts);
  const [worstCount = allCounts] = notHealthyCounts(counts);
  const isAnyRead = counts.notYetRead < counts.total;
  const shortest = isAnyRead ? worstCount : l10n.t('nothing read yet');
  const longest = isAnyRead && counts.failing === 0 ? allCounts : shortest;
  return [withGroups(groups, longest), withGroupsWithin(groups, shortest, maxVerdictChars)];
}

/**
 * "3 unknown, workspace list ignored" and, for less room, "3 unknown, list ignored". Nothing is
 * claimed of the deployments that an untrusted workspace lists.
 */
function withIgnoredList(verdict: string): { readonly long: string; readonly short: string } {
  return {
    long: l10n.t('{verdict}, workspace list ignored', { verdict }),
    short: l10n.t('{verdict}, list ignored', { verdict }),
  };
}

/** ["7 failing", "1 unknown", "3 not read yet", "2 muted"]: worst first, without counts of 0. */
export function notHealthyCounts({
  failing,
  unknown,
  notYetRead,
  muted,
}: Counts): readonly string[] {
  const texts: string[] = [];
  if (failing > 0) texts.push(l10n.t('{count} failing', { count: numberText(failing) }));
  if (unknown > 0) texts.push(l10n.t('{count} unknown', { count: numberText(unknown) }));
  if (notYetRead > 0) {
    texts.push(l10n.t('{count} not read yet', { count: numberText(notYetRead) }));
  }
  if (muted > 0) texts.push(l10n.t('{count} muted', { count: numberText(muted) }));
  return texts;
}
