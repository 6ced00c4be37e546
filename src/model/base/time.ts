import { type SetTimer, setTimer } from '../../api/timers.js';

/** Time and timers, so that a test can let an hour pass. */
export interface Clock {
  /** Returns epoch ms, for what is shown. */
  readonly now: () => number;
  /**
   * Returns ms from some fixed moment on, for distances: they do not change when the system's time
   * is set.
   */
  readonly elapsed: () => number;
  readonly setTimer: SetTimer;
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now(), setTimer };

// Durations are in ms.
const second = 1000;
export const minute = 60 * second;
const hour = 60 * minute;
/** A time of day that is so far away could be that of another day. */
export const halfDay = 12 * hour;
export const day = 24 * hour;

/** In the last minute, the time that is left is shown in steps of ten seconds. */
const lastMinuteStep = 10 * second;

/** Largest first. */
const units = [
  { unit: 'day', length: day },
  { unit: 'hour', length: hour },
  { unit: 'minute', length: minute },
  { unit: 'second', length: second },
] as const;

/** A part of a duration, such as 20 minutes. */
export interface TimePart {
  readonly unit: (typeof units)[number]['unit'];
  readonly amount: number;
}

/**
 * Returns the time from `now` to `expiresAt`, both epoch ms, in one or two parts, largest first:
 * "1 h 20 min", "46 min". Returns no part when the time is over. It has whole minutes, whole hours
 * from a day on, and tens of seconds in the last minute.
 */
export function timeLeft(expiresAt: number, now: number): TimePart[] {
  let remaining = roundedTimeLeft(Math.max(expiresAt - now, 0));
  const parts: TimePart[] = [];
  for (const { unit, length } of units) {
    const amount = Math.floor(remaining / length);
    remaining %= length;
    if (amount > 0) parts.push({ unit, amount });
  }
  return parts;
}

function roundedTimeLeft(leftMs: number): number {
  if (leftMs <= minute) return Math.ceil(leftMs / lastMinuteStep) * lastMinuteStep;
  const step = leftMs < day ? minute : hour;
  return leftMs - (leftMs % step);
}

/**
 * Returns the time from `now` to `until` as `timeLeft` does, but for a wait, which must not seem
 * over before its time: from a minute on, minutes are rounded up.
 */
export function waitLeft(until: number, now: number): TimePart[] {
  const leftMs = until - now;
  if (leftMs <= minute) return timeLeft(until, now);
  const wholeMinutes = Math.ceil(leftMs / minute);
  return timeLeft(now + wholeMinutes * minute, now);
}

/**
 * Returns the ms until `timeLeft` or `waitLeft` may return something else: each minute, each ten
 * seconds in the last minute, and when the time is over. After that, returns a minute.
 */
export function msUntilNextTimeLeft(leftMs: number): number {
  if (leftMs <= 0) return minute;
  if (leftMs <= minute) return leftMs % lastMinuteStep || lastMinuteStep;
  const untilNextMinute = leftMs % minute || minute;
  return Math.min(leftMs - minute, untilNextMinute);
}

/**
 * Returns the largest part of the time since `at`, both epoch ms: "2 min ago". `undefined` in the
 * first minute ("just now"), and for a time that is still to come.
 */
export function timeAgo(at: number, now: number): TimePart | undefined {
  const passedMs = now - at;
  const largest = units.find(({ unit, length }) => unit !== 'second' && length <= passedMs);
  if (largest === undefined) return undefined;
  return { unit: largest.unit, amount: Math.floor(passedMs / largest.length) };
}

/** "2026-02-28T22:05:00.5Z", "2026-02-28 22:05+01" */
const dateTime =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Returns the epoch ms of an ISO 8601 date-time with its offset from UTC. `undefined` for any other
 * text, also without an offset, so that no countdown rests on a guess.
 */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTime.test(text)) return undefined;
  // `Date` knows neither a comma within the seconds nor an offset without minutes.
  const readable = text.replace(',', '.').replace(/[+-]\d{2}$/, '$&:00');
  const at = Date.parse(readable);
  if (Number.isNaN(at)) return undefined;
  // `Date` turns 30 February into a day in March.
  const date = text.slice(0, 'YYYY-MM-DD'.length);
  const isDateOfCalendar = new Date(date).toISOString().startsWith(date);
  return isDateOfCalendar ? at : undefined;
}

/** Returns the earliest of the times that are known; Infinity if none is. */
export function earliest(times: readonly (number | undefined)[]): number {
  let first = Infinity;
  for (const time of times) first = Math.min(first, time ?? Infinity);
  return first;
}

/**
 * Returns the epoch ms, by this machine's clock, of a time that the platform sent by its own clock.
 * `undefined` if the text is no date-time. `clockOffsetMs`: how far the platform's clock is ahead.
 */
export function machineTime(text: string | undefined, clockOffsetMs: number): number | undefined {
  const at = parseDateTime(text);
  return at === undefined ? undefined : at - clockOffsetMs;
}
