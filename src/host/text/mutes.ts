import { l10n } from 'vscode';
import { day } from '../../model/base/time.js';
import type { Problem } from '../../model/findings/findings.js';
import { firstToBeUnmuted, type Mute, type Mutes } from '../../model/findings/state.js';
import { shorten } from '../../model/inertText.js';
import { maxMuteMs } from '../../model/problems/savedProblems.js';
import { absoluteTime, futureDayOrTime, joinWithDots, numberText, utcDayText } from './format.js';

/**
 * "muted until Friday", "muted until it changes", "muted for everyone until Dec 31 · App review at
 * Slack, FIN-1234"; `undefined` if it is not muted, or without a problem. `now`: epoch ms.
 */
export function mutedWord(
  problem: Problem | undefined,
  memory: Mutes,
  now: number,
): string | undefined {
  const mute = problem && memory.muteOf(problem);
  return mute && joinWithDots(muteEndWord(mute, now), muteReason(mute));
}

/**
 * What a row says of the mutes of several muted problems, of which it names none: when the first of
 * the mutes ends. That it is for everyone, and why, only if that is true of all: "muted until Dec
 * 31". `now`: epoch ms.
 */
export function mutedWordOfSeveral(
  problems: readonly Problem[],
  memory: Mutes,
  now: number,
): string | undefined {
  const first = firstToBeUnmuted(problems, memory);
  const firstMute = first && memory.muteOf(first);
  if (firstMute?.forEveryone === undefined) return mutedWord(first, memory, now);
  const { until, reason } = firstMute.forEveryone;
  const areAlike = problems.every((problem) => {
    const other = memory.muteOf(problem)?.forEveryone;
    return other?.until === until && other.reason === reason;
  });
  if (areAlike) return mutedWord(first, memory, now);
  return l10n.t('muted until {time}', { time: utcDayText(until, now) });
}

/**
 * "muted until Friday", "muted until it changes", "muted for everyone until Dec 31". `now`: epoch
 * ms.
 */
export function muteEndWord({ until, isUntilChange, forEveryone }: Mute, now: number): string {
  if (forEveryone) {
    return l10n.t('muted for everyone until {day}', { day: utcDayText(forEveryone.until, now) });
  }
  return isUntilChange
    ? l10n.t({ message: 'muted until it changes', comment: 'Row' })
    : l10n.t('muted until {time}', { time: futureDayOrTime(until, now) });
}

/** "App review at Slack, FIN-1234", for a row; `undefined` for a mute of the user's own. */
export function muteReason({ forEveryone }: Mute): string | undefined {
  return forEveryone && shorten(forEveryone.reason);
}

/**
 * "Muted until Nov 20, 2026, 9:14:03 AM GMT+1.", "Muted until it changes, for at most 90 days
 * (until Feb 25, 2027).", "Muted for everyone in .vscode/settings.json until Dec 31, 2026 (UTC):
 * “App review at Slack, FIN-1234”."; `undefined` if it is not muted. `files`: those with the mute
 * for everyone. `now`: epoch ms.
 */
export function mutedText(
  problem: Problem,
  { memory, now }: { readonly memory: Mutes; readonly now: number },
  files: () => string,
): string | undefined {
  const mute = memory.muteOf(problem);
  if (mute === undefined) return undefined;
  const { until, isUntilChange, forEveryone } = mute;
  if (forEveryone) {
    return l10n.t('Muted for everyone in {files} until {day} (UTC): “{reason}”.', {
      files: files(),
      day: utcDayText(forEveryone.until),
      reason: forEveryone.reason,
    });
  }
  if (!isUntilChange) return l10n.t('Muted until {time}.', { time: absoluteTime(until) });
  const values = { days: numberText(maxMuteMs / day), time: futureDayOrTime(until, now) };
  return l10n.t('Muted until it changes, for at most {days} days (until {time}).', values);
}

/** "changed since it was muted", for a row; `undefined` for any other problem. */
export function changedSinceMutedWord(
  problem: Problem | undefined,
  memory: Mutes,
): string | undefined {
  const hasChanged = problem !== undefined && memory.hasChangedSinceMuted(problem);
  return hasChanged ? l10n.t({ message: 'changed since it was muted', comment: 'Row' }) : undefined;
}

/**
 * "The error has changed since the account was muted for everyone, so the problem counts again.";
 * `undefined` for any other problem.
 */
export function changedSinceMutedText(problem: Problem, memory: Mutes): string | undefined {
  if (!memory.hasChangedSinceMuted(problem)) return undefined;
  return problem.kind === 'failedAccount'
    ? l10n.t(
        'The error has changed since the account was muted for everyone, so the problem counts again.',
      )
    : l10n.t(
        'The missing scopes have changed since the requirement was muted for everyone, so the problem counts again.',
      );
}
