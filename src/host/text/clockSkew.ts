import { l10n } from 'vscode';
import type { ClockSkew } from '../../api/httpTimes.js';
import { minute, timeLeft } from '../../model/base/time.js';
import { durationText } from './format.js';

/**
 * "This machine’s clock is 1 hr ahead of the platform’s."; `undefined` if the clocks agree, or if
 * the platform sent no time.
 */
export function clockSkewText({ clockOffsetMs, hasUnusableDate }: ClockSkew): string | undefined {
  if (hasUnusableDate) {
    return l10n.t(
      'The clocks of this machine and of the platform differ, so these times may be wrong. Check the date and time of this machine.',
    );
  }
  if (clockOffsetMs === 0) return undefined;
  const wholeMinutes = Math.round(Math.abs(clockOffsetMs) / minute) * minute;
  const time = durationText(timeLeft(wholeMinutes, 0));
  const isMachineAhead = clockOffsetMs < 0;
  return isMachineAhead
    ? l10n.t('This machine’s clock is {time} ahead of the platform’s.', { time })
    : l10n.t('This machine’s clock is {time} behind the platform’s.', { time });
}
