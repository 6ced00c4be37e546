import type { Headers } from './network/body.js';

/** How the platform's clock differs from this machine's, according to the `Date` of one answer. */
export interface ClockSkew {
  /**
   * Ms that the platform's clock is ahead (negative: behind). 0 if that is less than a minute or
   * unknown.
   */
  readonly clockOffsetMs: number;
  /** Whether `Date` is more than a day off, or the answer has several. */
  readonly hasUnusableDate: boolean;
}

const minSkewMs = 60_000;
const maxSkewMs = 24 * 60 * 60_000;

const noSkew: ClockSkew = { clockOffsetMs: 0, hasUnusableDate: false };
const unusableDate: ClockSkew = { clockOffsetMs: 0, hasUnusableDate: true };

/** Compares `Date` with `receivedAt`: epoch ms on this machine when the headers arrived. */
export function clockSkewOf(headers: Headers, receivedAt: number): ClockSkew {
  // Several `Date` headers are joined with commas, each before the letters of a weekday. The comma
  // within a date stands before a digit: `Sun, 06 Nov 1994 08:49:37 GMT`.
  const dates = (headers['date'] ?? '').split(/,\s*(?=[a-z])/i);
  if (dates.length > 1) return unusableDate;
  const date = parseHttpDate(dates[0] ?? '');
  if (date === undefined) return noSkew;

  // `Date` is when the platform made the answer, and `Age` how long ago that was.
  const platformTime = date + ageMs(headers);
  const clockOffsetMs = platformTime - receivedAt;
  if (Math.abs(clockOffsetMs) < minSkewMs) return noSkew;
  if (Math.abs(clockOffsetMs) > maxSkewMs) return unusableDate;
  return { clockOffsetMs, hasUnusableDate: false };
}

const maxAgeMs = 366 * 24 * 60 * 60_000;

/**
 * How long the answer was in caches, in ms, by `Age`; the first one counts if there are several.
 * Returns 0 without a usable `Age`, and for more than a year.
 */
export function ageMs(headers: Headers): number {
  const seconds = /^\s*(\d+)\s*(?:,|$)/.exec(headers['age'] ?? '')?.[1];
  if (seconds === undefined) return 0;
  const ms = Number(seconds) * 1000;
  // A cache that cannot read `Date` sends the age since 1970, and on an overflow it sends 2 ** 31.
  return ms > maxAgeMs ? 0 : ms;
}

/**
 * How long `Retry-After` asks to wait, in ms; `undefined` without a usable one. It is a number of
 * seconds or a date. A date is compared with the answer's own `Date`, because either clock may be
 * wrong, and with `now` (epoch ms) if the answer has none.
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  if (isSeconds) return Number(text) * 1000;

  const until = parseHttpDate(text);
  if (until === undefined) return undefined;
  const date = parseHttpDate(headers['date'] ?? '');
  const platformTime = date === undefined ? now : date + ageMs(headers);
  return Math.max(0, until - platformTime);
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`, also `Sunday, 6-Nov-94 8:49:37 UTC`. */
const dateWithZone =
  /^[a-z]{3,9}, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{1,2}:\d{2}:\d{2} (?:GMT|UTC|\+0000)$/i;

/** ISO 8601 in UTC: `1994-11-06T08:49:37Z`. */
const isoDate = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/i;

/** The form of C's `asctime`, which is in UTC and names no zone: `Sun Nov  6 08:49:37 1994`. */
const asctimeDate = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/**
 * Returns epoch ms; `undefined` if the text is not in a form that servers send. `Date.parse` alone
 * finds a date in almost any text with a number.
 */
function parseHttpDate(text: string): number | undefined {
  const trimmed = text.trim();
  if (dateWithZone.test(trimmed) || isoDate.test(trimmed)) return parseDate(trimmed);
  if (asctimeDate.test(trimmed)) return parseDate(`${trimmed} GMT`);
  return undefined;
}

function parseDate(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
