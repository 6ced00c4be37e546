import { type SetTimer, setTimer } from '../../api/timers.js';

/** Time and timers, so that a test can let an hour pass. */
export interface Clock {
  /** Epoch ms, for what is shown. */
  readonly now: () => number;
  /** Ms, for distances: it goes on evenly when the system's time is set. */
  readonly elapsed: () => number;
  readonly setTimer: SetTimer;
}

export const systemClock: Clock = { now: Date.now, elapsed: () => performance.now(), setTimer };

const second = 1000;
export const minute = 60 * second;
const hour = 60 * minute;
/** From so far away on, a time of day could be that of another day. */
export const halfDay = 12 * hour;
export const day = 24 * hour;

const lastMinuteStep = 10 * second;

/** Largest first. */
const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

export interface TimePart {
  readonly unit: (typeof units)[number][0];
  readonly amount: number;
}

/** One or two parts, largest first ("1 h 20 min", "46 min"), none when it is over: whole minutes, and tens of seconds in the last one. */
export function timeLeft(expiresAt: number, now: number): TimePart[] {
  const left = Math.max(expiresAt - now, 0);
  let rest =
    left > minute
      ? left - (left % (left < day ? minute : hour))
      : Math.ceil(left / lastMinuteStep) * lastMinuteStep;
  const parts = units.map(([unit, length]) => {
    const amount = Math.floor(rest / length);
    rest %= length;
    return { unit, amount };
  });
  return parts.filter(({ amount }) => amount > 0);
}

/**
 * The same of a wait, which is not over before its time: from a minute on, a minute that has begun
 * is a whole one.
 */
export function waitLeft(until: number, now: number): TimePart[] {
  const left = until - now;
  return timeLeft(left > minute ? now + Math.ceil(left / minute) * minute : until, now);
}

/**
 * Ms until `timeLeft` or `waitLeft` says something else: each minute, each ten seconds in the last
 * one, and when the time has come.
 */
export function untilNextTimeLeft(leftMs: number): number {
  if (leftMs <= 0) return minute;
  if (leftMs <= minute) return leftMs % lastMinuteStep || lastMinuteStep;
  return Math.min(leftMs - minute, leftMs % minute || minute);
}

/** "2 min ago"; `undefined` in the first minute ("just now"), and for a moment that is still to come. */
export function timeAgo(at: number, now: number): TimePart | undefined {
  const passed = now - at;
  const found = units.find(([, length]) => length > second && length <= passed);
  return found && { unit: found[0], amount: Math.floor(passed / found[1]) };
}

const dateTime =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/** Epoch ms of an ISO 8601 date-time with its offset from UTC; `undefined` without one, so that no countdown rests on a guess. */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTime.test(text)) return undefined;
  // `Date` knows neither a comma within the seconds nor an offset without minutes.
  const at = Date.parse(text.replace(',', '.').replace(/[+-]\d{2}$/, '$&:00'));
  // It turns 30 February into a day in March.
  const date = text.slice(0, 10);
  return Number.isNaN(at) || !new Date(date).toISOString().startsWith(date) ? undefined : at;
}

/** Infinity if none of them is known. */
export function earliest(times: readonly (number | undefined)[]): number {
  return times.reduce<number>((first, time = Infinity) => Math.min(first, time), Infinity);
}

/** Epoch ms by this machine's clock, of a time that the platform sent by its own. */
export function machineTime(text: string | undefined, clockOffsetMs: number): number | undefined {
  const at = parseDateTime(text);
  return at === undefined ? undefined : at - clockOffsetMs;
}
