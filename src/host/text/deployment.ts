import { l10n } from 'vscode';
import { minute } from '../../model/base/time.js';
import { type Counts, type Deployment, isUnreadable } from '../../model/findings/deployment.js';
import {
  countedProblems,
  firstToEnd,
  type Mutes,
  mutedProblems,
} from '../../model/findings/state.js';
import { asOfTime } from './cause.js';
import { failureWordInRow } from './failure.js';
import { capitalized, joinWithDots, listText, numberText, plural, relativeTime } from './format.js';
import { findingWithService, mutedName, mutedWord, nameList, problemWord } from './problem.js';
import { deploymentStateWord, stateWord } from './states.js';

interface SummaryContext {
  readonly now: number;
  readonly memory: Mutes;
}

export function deploymentSummary(deployment: Deployment, { now, memory }: SummaryContext): string {
  const { answer, failedRead } = deployment;
  if (failedRead && isUnreadable(deployment)) {
    return joinWithDots(
      capitalized(failureWordInRow(failedRead.failure)),
      staleWord(deployment, now),
    );
  }
  if (!answer) return stateWord('notYetRead');
  const problems = countedProblems(answer.findings, memory);
  const [worst] = problems;
  if (worst) return problemWord(worst, problems.length - 1);
  const muted = mutedProblems(answer.findings, memory);
  const first = firstToEnd(muted, memory);
  const unknown = answer.findings.unknown.length;
  return joinWithDots(
    unknown > 0 ? l10n.t('{count} unknown', { count: numberText(unknown) }) : undefined,
    unreadableFieldsWord(answer.decodeIssues.length),
    // What is muted stands first, because VS Code cuts the end.
    first && mutedName(first, muted.length - 1),
    mutedWord(first, memory, now),
  );
}

export function inDeploymentsWord(count: number): string | undefined {
  return count > 1 ? l10n.t('in {count} deployments', { count: numberText(count) }) : undefined;
}

export function staleWord({ answer, failedRead }: Deployment, now: number): string | undefined {
  if (!answer || !failedRead) return undefined;
  if (now - answer.asOf < minute) return l10n.t('stale');
  return l10n.t('stale, read {time}', { time: relativeTime(answer.asOf, now) });
}

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
 * "Failing · Finance Slack failed", "Unknown · Not found", "Healthy": for quick picks and screen
 * readers. No colon, since a cause has one in other languages („Fehler: Finance Slack“).
 */
export function stateWithCauses(deployment: Deployment, { now, memory }: SummaryContext): string {
  const { answer, failedRead, state: is } = deployment;
  const state = capitalized(deploymentStateWord(is));
  const muted = firstToEnd(mutedProblems(answer?.findings, memory), memory);
  if (is === 'muted' && muted) {
    return capitalized(joinWithDots(mutedWord(muted, memory, now), problemWord(muted)));
  }
  const problems = countedProblems(answer?.findings, memory);
  const unknown = answer?.findings.unknown ?? [];
  const causes =
    problems.length > 0
      ? nameList(problems, (problem) => problemWord(problem), maxCauses)
      : nameList(unknown, findingWithService, maxCauses);
  return joinWithDots(
    state,
    failedRead && isUnreadable(deployment) ? failureWordInRow(failedRead.failure) : causes,
  );
}

export function allCountsText(counts: Counts): string {
  const { failing, muted, healthy } = counts;
  const wrong = notHealthyCounts(counts);
  if (wrong.length === 0)
    return healthy > 0 ? l10n.t('{count} healthy', { count: numberText(healthy) }) : '';
  return listText(
    failing === 0 && healthy + muted > 0 ? [l10n.t('None failing'), ...wrong] : wrong,
  );
}

/**
 * Of all that are listed: "1 healthy", with `isListIgnored` "1 healthy, workspace list ignored".
 * `asOf`: epoch ms, where the counts are not those of now: "7 failing · as of 9:51 PM".
 */
export function allCountsWithTime(counts: Counts, asOf?: number): string {
  const text = allCountsText(counts);
  const ofAll = counts.isListIgnored && text ? besideIgnoredList(text)[0] : text;
  return joinWithDots(ofAll, asOf === undefined ? undefined : asOfTime(asOf));
}

/** "7 failing"; where none is, how the others are. `undefined` while the first answers arrive and none of them is bad. */
export function failingOrAllCounts(counts: Counts, isReading: boolean): string | undefined {
  const { failing, notYetRead } = counts;
  if (failing > 0) return allCountsWithTime({ ...counts, unknown: 0, notYetRead: 0, muted: 0 });
  return isReading && notYetRead > 0 ? undefined : allCountsWithTime(counts);
}

/**
 * The longest first: "None failing, 3 unknown, 2 muted", "3 unknown". With `isListIgnored` the first ones say so;
 * beside the name of a cause they may not fit.
 */
export function verdictsLongestFirst(counts: Counts): readonly string[] {
  const known = plainVerdicts(counts);
  return counts.isListIgnored ? [...verdictsWithIgnoredList(counts), ...known] : known;
}

/** Those that say that a list is ignored, the longest first. */
export function verdictsWithIgnoredList(counts: Counts): readonly string[] {
  return [
    ...plainVerdicts(counts).map((one) => besideIgnoredList(one)[0]),
    ...shortestVerdictsWithIgnoredList(counts),
  ];
}

/** With `isListIgnored`, the longest first: "3 unknown, workspace list ignored", "3 unknown, list ignored". */
export function shortestVerdictsWithIgnoredList(counts: Counts): readonly [string, string] {
  return besideIgnoredList(plainVerdicts(counts).at(-1) ?? '');
}

/** The longest first, without the ignored list. */
function plainVerdicts(counts: Counts): readonly string[] {
  if (counts.notYetRead === counts.total) return [l10n.t('nothing read yet')];
  const [worst] = notHealthyCounts(counts);
  const whole = counts.failing > 0 ? worst : allCountsText(counts);
  return [whole, worst].filter((words) => words !== undefined);
}

/** The second is shorter. Nothing is claimed of what an untrusted workspace lists. */
function besideIgnoredList(words: string): readonly [string, string] {
  const long = l10n.t('{verdict}, workspace list ignored', { verdict: words });
  return [long, l10n.t('{verdict}, list ignored', { verdict: words })];
}

export function notHealthyCounts({
  failing,
  unknown,
  notYetRead,
  muted,
}: Counts): readonly string[] {
  return [
    ...(failing > 0 ? [l10n.t('{count} failing', { count: numberText(failing) })] : []),
    ...(unknown > 0 ? [l10n.t('{count} unknown', { count: numberText(unknown) })] : []),
    ...(notYetRead > 0 ? [l10n.t('{count} not read yet', { count: numberText(notYetRead) })] : []),
    ...(muted > 0 ? [l10n.t('{count} muted', { count: numberText(muted) })] : []),
  ];
}
