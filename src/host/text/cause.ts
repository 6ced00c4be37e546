import { l10n } from 'vscode';
import type { Phase } from '../../api/call.js';
import { timeAgo, waitLeft } from '../../model/base/time.js';
import { nameBeside } from '../../model/inertText.js';
import type { FailedRead } from '../../model/toolResult.js';
import type { ElementOf } from '../../model/tree/elements.js';
import type { Remedy } from '../actions.js';
import type { Organization } from '../organizations/organization.js';
import { failureFields, failureWords, shortFailureNames, withoutCodes } from './failure.js';
import {
  clockTime,
  durationText,
  joinSentences,
  joinWithDots,
  rowsShowAges,
  shortTimesLongestFirst,
  timeInRow,
} from './format.js';
import { ignoredRowLabel, ignoredText } from './ignored.js';

type Cause = ElementOf<'cause'>['cause'];

interface CauseWords {
  readonly sentence: string;
  /**
   * What the sentence says beyond the name, without codes: for a screen reader, which says the name
   * before it.
   */
  readonly spoken: string;
  readonly remedy?: Remedy | undefined;
}

export function causeWords(cause: Cause, organization: Organization | undefined): CauseWords {
  switch (cause.kind) {
    case 'failure': {
      const { failure, isOffline } = cause;
      const checkConnection = 'checkConnection' as const;
      if (isOffline) {
        const means = l10n.t(
          'No deployment can be read. Check the connection to see which step fails.',
        );
        const sentence = joinSentences(l10n.t('{name}.', { name: l10n.t('Offline') }), means);
        return { sentence, spoken: means, remedy: checkConnection };
      }
      const { sentence, means, next, doubt, remedy } = failureWords(failure, organization);
      const spoken = withoutCodes(joinSentences(means, next, doubt), failure);
      // More time helps one deployment that is slow, not where none answers.
      return { sentence, spoken, remedy: failure.kind === 'timedOut' ? checkConnection : remedy };
    }
    case 'paused': {
      // What waits goes on by itself, so there is no step.
      const { name } = failureWords({ kind: 'rateLimited', status: 429, until: cause.until });
      return { sentence: pausedText(cause.until), spoken: name };
    }
    case 'untrusted': {
      const sentence = ignoredText(cause.ignored);
      return { sentence, spoken: sentence, remedy: 'manageTrust' };
    }
  }
}

/**
 * A first row's label: "Proxy (407)", "Paused until 10:15 PM", in a remote window "Paused, 4 min
 * left".
 */
export function causeName(cause: Cause, now: number): string {
  switch (cause.kind) {
    case 'failure':
      return namesOf(cause)[0]!;
    case 'paused': {
      const left = rowsShowAges() ? waitLeft(cause.until, now) : [];
      return left.length > 0
        ? l10n.t('Paused, {time} left', { time: durationText(left) })
        : pausedUntilText(cause.until, now);
    }
    case 'untrusted':
      return ignoredRowLabel(cause.ignored);
  }
}

/** "Paused until 10:15 PM". `until`, `now`: epoch ms. */
export function pausedUntilText(until: number, now?: number): string {
  return l10n.t('Paused until {time}', { time: clockTime(until, now) });
}

type NamedCause = Exclude<Cause, { kind: 'untrusted' }>;

/** The longest first. */
function namesOf(cause: NamedCause): readonly string[] {
  if (cause.kind === 'paused') {
    return [pausedUntilText(cause.until), l10n.t('Paused')];
  }
  return cause.isOffline ? [l10n.t('Offline')] : shortFailureNames(cause.failure);
}

/**
 * As much as the status bar may take. Of the view's header, a side bar of 300 pixels shows as much
 * as the number.
 */
const maxVerdictChars = 40;

/** "Unreachable (TLS) · 7 failing". `verdicts`: the longest first, at least one. */
export function causeWithVerdict(cause: NamedCause, verdicts: readonly string[]): string {
  return nameBeside(verdicts, namesOf(cause), maxVerdictChars);
}

/**
 * "3 deployments failing · as of 9:51 PM". `verdicts`: the longest first, at least one. Nothing is ever cut: the verdict is
 * a shorter one, then the time has no zone. Where the shortest says that a list is ignored, there may be no room for the
 * time, which the header has.
 */
export function verdictWithTime(verdicts: readonly string[], at: number, now?: number): string {
  const times = shortTimesLongestFirst(at, now).map(asOfWord);
  const all = times.flatMap((time) => verdicts.map((verdict) => joinWithDots(verdict, time)));
  return [...all, ...verdicts].find(({ length }) => length <= maxVerdictChars) ?? verdicts.at(-1)!;
}

/** For a tool: the sentence without the texts of whoever answered, which stand in fields of their own. */
export function causeFields(cause: Cause, organization: Organization | undefined): FailedRead {
  if (cause.kind !== 'failure') return { error: causeWords(cause, organization).sentence };
  return failureFields(
    cause.failure,
    (failure) => causeWords({ ...cause, failure }, organization).sentence,
  );
}

/** "as of 10:05 PM", of the last good answers before the cause. */
export function causeAsOf(cause: Cause | undefined, now?: number): string | undefined {
  if (cause?.kind !== 'failure' || cause.asOf === undefined) return undefined;
  return asOfTime(cause.asOf, now);
}

/** "as of 10:05 PM". `at`, `now`: epoch ms. */
export function asOfTime(at: number, now?: number): string {
  return asOfWord(clockTime(at, now));
}

/** "as of 10:05 PM", after half a day "as of Nov 20": where there is little room. `at`, `now`: epoch ms. */
export function asOfShortTime(at: number, now?: number): string {
  return asOfWord(shortTimesLongestFirst(at, now)[0]);
}

/** What a row shows: in a remote window "as of 12 min ago", in the first minute "as of now". */
export function asOfRowTime(at: number, now: number): string {
  const isNow = rowsShowAges() && timeAgo(at, now) === undefined;
  return isNow ? l10n.t('as of now') : asOfWord(timeInRow(at, now));
}

function asOfWord(time: string): string {
  return l10n.t('as of {time}', { time });
}

/** "Rate limited (429). Requests resume at 10:15 PM." `until`: epoch ms. */
function pausedText(until: number): string {
  const { name } = failureWords({ kind: 'rateLimited', status: 429, until });
  return joinSentences(name, l10n.t('Requests resume at {time}.', { time: clockTime(until) }));
}

export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case 'waiting':
      return l10n.t('waiting');
    case 'paused':
      return pausedText(phase.until);
    case 'connecting':
      return l10n.t('connecting');
    case 'sending':
      return l10n.t('waiting for a response');
  }
}
