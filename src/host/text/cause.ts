import { l10n } from 'vscode';
import type { Phase } from '../../api/call.js';
import type { Failure } from '../../api/failure.js';
import { timeAgo, waitLeft } from '../../model/base/time.js';
import { nameBeside } from '../../model/inertText.js';
import type { FailureFields } from '../../model/toolResult.js';
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

/**
 * What the first row of the view is about: a failure of all deployments, a pause of requests, or a
 * workspace that is not trusted.
 */
type FirstRowCause = ElementOf<'cause'>['cause'];

interface CauseWords {
  /** "Unreachable (DNS). my.host: name not found (ENOTFOUND). Check the connection to see …" */
  readonly sentence: string;
  /**
   * What the sentence says beyond the name, without codes: for a screen reader, which says the name
   * before it.
   */
  readonly spoken: string;
  /** The button beside the row; `undefined` if the user has nothing to do. */
  readonly remedy?: Remedy | undefined;
}

/** The words for the first row of the view, and for whatever else says why it has one. */
export function causeWords(
  cause: FirstRowCause,
  organization: Organization | undefined,
): CauseWords {
  switch (cause.kind) {
    case 'failure':
      return cause.isOffline ? offlineWords() : sharedFailureWords(cause.failure, organization);
    case 'paused':
      // Requests resume by themselves, so there is no step to take.
      return { sentence: pausedText(cause.until), spoken: rateLimitedName(cause.until) };
    case 'untrusted': {
      const sentence = ignoredText(cause.ignored);
      return { sentence, spoken: sentence, remedy: 'manageTrust' };
    }
  }
}

/**
 * "Offline. No deployment can be read. Check the connection to see which step fails." A screen
 * reader reads the last two sentences out, after the row's label "Offline".
 */
function offlineWords(): CauseWords {
  const name = l10n.t('{name}.', { name: l10n.t('Offline') });
  const meaningAndStep = l10n.t(
    'No deployment can be read. Check the connection to see which step fails.',
  );
  const sentence = joinSentences(name, meaningAndStep);
  return { sentence, spoken: meaningAndStep, remedy: 'checkConnection' };
}

/** "Server error (503). The problem is probably temporary. Try again later." */
function sharedFailureWords(failure: Failure, organization: Organization | undefined): CauseWords {
  const { sentence, meaning, next, doubt, remedy } = failureWords(failure, organization);
  return {
    sentence,
    spoken: withoutCodes(joinSentences(meaning, next, doubt), failure),
    // More time would help one slow deployment, but here no deployment is answered.
    remedy: failure.kind === 'timedOut' ? 'checkConnection' : remedy,
  };
}

/**
 * The label of a first row: "Proxy (407)", "Offline", "Workspace list ignored", "Paused until 10:15
 * PM", in a remote window "Paused, 4 min left". `now`: epoch ms.
 */
export function causeName(cause: FirstRowCause, now: number): string {
  switch (cause.kind) {
    case 'failure':
      return namesOf(cause)[0];
    case 'paused': {
      const wait = rowsShowAges() ? waitLeft(cause.until, now) : [];
      return wait.length > 0
        ? l10n.t('Paused, {time} left', { time: durationText(wait) })
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

/** A failure of all deployments, or a pause. */
type OutageCause = Exclude<FirstRowCause, { kind: 'untrusted' }>;

/**
 * "Paused until 10:15 PM" and "Paused", "Unreachable (TLS)" and "Unreachable": the longest first.
 */
function namesOf(cause: OutageCause): readonly [string, ...string[]] {
  if (cause.kind === 'paused') return [pausedUntilText(cause.until), l10n.t('Paused')];
  return cause.isOffline ? [l10n.t('Offline')] : shortFailureNames(cause.failure);
}

/**
 * How much the status bar shows at most. The view's header shows about as much in a side bar of 300
 * pixels.
 */
export const maxVerdictChars = 40;

/**
 * "Unreachable (TLS) · 7 failing" in at most 40 characters, with the first of the verdicts that
 * fits. `verdicts`: the longest first, at least one.
 */
export function causeWithVerdict(cause: OutageCause, verdicts: readonly string[]): string {
  return nameBeside(verdicts, namesOf(cause), maxVerdictChars);
}

/**
 * "3 deployments failing · as of 9:51 PM" in at most 40 characters. Nothing is cut: if there is too
 * little room, the verdict is a shorter one, then the time has no zone, then no time is shown (the
 * view's header has it). `verdicts`: the longest first, at least one. `at`, `now`: epoch ms.
 */
export function verdictWithTime(verdicts: readonly string[], at: number, now?: number): string {
  const candidates: string[] = [];
  for (const time of shortTimesLongestFirst(at, now)) {
    for (const verdict of verdicts) candidates.push(joinWithDots(verdict, asOfWord(time)));
  }
  candidates.push(...verdicts);
  const fitting = candidates.find(({ length }) => length <= maxVerdictChars);
  return fitting ?? verdicts.at(-1)!;
}

/**
 * For a tool's result: our sentence about the cause, and texts of the web page or gateway that
 * answered in fields of their own.
 */
export function causeFields(
  cause: FirstRowCause,
  organization: Organization | undefined,
): FailureFields {
  if (cause.kind !== 'failure') return { error: causeWords(cause, organization).sentence };
  const sentenceOf = (failure: Failure) => causeWords({ ...cause, failure }, organization).sentence;
  return failureFields(cause.failure, sentenceOf);
}

/**
 * "as of 10:05 PM": the time as of which the newest good answer before a failure was true.
 * `undefined` for a cause that is no failure, or without such an answer. `now`: epoch ms.
 */
export function causeAsOf(cause: FirstRowCause | undefined, now?: number): string | undefined {
  if (cause?.kind !== 'failure' || cause.asOf === undefined) return undefined;
  return asOfTime(cause.asOf, now);
}

/** "as of 10:05 PM". `at`, `now`: epoch ms. */
export function asOfTime(at: number, now?: number): string {
  return asOfWord(clockTime(at, now));
}

/**
 * "as of 10:05 PM", on another day and after half a day "as of Nov 20": where there is little room.
 * `at`, `now`: epoch ms.
 */
export function asOfShortTime(at: number, now?: number): string {
  const [longest] = shortTimesLongestFirst(at, now);
  return asOfWord(longest);
}

/**
 * For a row: "as of 10:05 PM", in a remote window "as of 12 min ago", and in the first minute "as
 * of now". `at`, `now`: epoch ms.
 */
export function asOfRowTime(at: number, now: number): string {
  const isNow = rowsShowAges() && timeAgo(at, now) === undefined;
  return isNow ? l10n.t('as of now') : asOfWord(timeInRow(at, now));
}

/** "as of 10:05 PM" of "10:05 PM" */
function asOfWord(time: string): string {
  return l10n.t('as of {time}', { time });
}

/** "Rate limited (429). Requests resume at 10:15 PM." `until`: epoch ms. */
function pausedText(until: number): string {
  const resumed = l10n.t('Requests resume at {time}.', { time: clockTime(until) });
  return joinSentences(rateLimitedName(until), resumed);
}

/** "Rate limited (429)." `until`: epoch ms. */
function rateLimitedName(until: number): string {
  return failureWords({ kind: 'rateLimited', status: 429, until }).name;
}

/** What a request is doing, for the progress of a command: "waiting for a response". */
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
