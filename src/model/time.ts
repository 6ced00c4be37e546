import type { Disposable } from './emitter.js';

/** A one-shot timer; disposing it before it fires ends it. */
export type SetTimer = (callback: () => void, milliseconds: number) => Disposable;

export const setTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return { dispose: () => clearTimeout(timer) };
};

/** Time and timers, so that a test can let an hour pass. */
export interface Clock {
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export const systemClock: Clock = { now: Date.now, setTimer };

type TimeUnit = 'day' | 'hour' | 'minute' | 'second';

export interface TimePart {
  readonly unit: TimeUnit;
  readonly amount: number;
}

/**
 * `left`: one or two parts, largest first ("1 h 20 min", "46 min", "12 s"). `lapsed`: one part, or none in the first
 * minute ("just now"). `nextChange`: epoch ms at which the words change, so that nobody ticks in between.
 */
type TimeLeft =
  | { readonly kind: 'left'; readonly parts: readonly TimePart[]; readonly nextChange: number }
  | { readonly kind: 'lapsed'; readonly parts: readonly TimePart[]; readonly nextChange: number }
  | { readonly kind: 'unknown' };

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Counts whole units down; the last second is "1 s" until it is over, never "0 s". */
export function timeLeft(expiresAt: number | undefined, now: number): TimeLeft {
  if (expiresAt === undefined) return { kind: 'unknown' };
  if (now >= expiresAt) {
    const { part, nextChange } = timeAgo(expiresAt, now);
    return { kind: 'lapsed', parts: part === undefined ? [] : [part], nextChange };
  }
  const left = Math.ceil((expiresAt - now) / second) * second;
  const step = left < minute ? second : left < day ? minute : hour;
  const shown = Math.floor(left / step) * step;
  const parts = partsOf(shown);
  // The words stand while `left` is at least `shown`; it falls below a second before the next multiple.
  return { kind: 'left', parts, nextChange: expiresAt - shown + second };
}

/** "2 min ago": `part` is absent in the first minute ("just now"), and for a moment that is still to come. */
export function timeAgo(at: number, now: number): { readonly part?: TimePart; readonly nextChange: number } {
  const passed = Math.max(0, now - at);
  if (passed < minute) return { nextChange: at + minute };
  const [unit, length]: [TimeUnit, number] =
    passed < hour ? ['minute', minute] : passed < day ? ['hour', hour] : ['day', day];
  const amount = Math.floor(passed / length);
  return { part: { unit, amount }, nextChange: at + (amount + 1) * length };
}

function partsOf(milliseconds: number): readonly TimePart[] {
  const parts: TimePart[] = [
    { unit: 'day', amount: Math.floor(milliseconds / day) },
    { unit: 'hour', amount: Math.floor((milliseconds % day) / hour) },
    { unit: 'minute', amount: Math.floor((milliseconds % hour) / minute) },
    { unit: 'second', amount: Math.floor((milliseconds % minute) / second) },
  ];
  return parts.filter((part) => part.amount > 0);
}

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Epoch ms of an ISO 8601 date-time with its offset from UTC. Without one it could mean any time zone: undefined, like
 * everything else that is no date-time, so that no countdown rests on a guess.
 */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTime.test(text)) return undefined;
  const normal = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(',', '.')
    // `Date` reads at most milliseconds reliably, and an offset only with its colon.
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d{2})(\d{2})?$/, (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`);
  const at = Date.parse(normal);
  return Number.isNaN(at) || !isRealDay(normal) ? undefined : at;
}

/** `Date` turns 30 February into a day in March. */
function isRealDay(text: string): boolean {
  const [year = 0, month = 0, dayOfMonth = 0] = text.slice(0, 10).split('-').map(Number);
  return dayOfMonth <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
