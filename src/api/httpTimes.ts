import type { Headers } from './network/body.js';

/** How the clock of the platform differs from this machine's, by the `Date` of one answer. */
export interface ClockSkew {
  /** Ms that the platform's clock is ahead; 0 for less than a minute, and where `Date` is absent or not used. */
  readonly clockOffsetMs: number;
  /** Whether `Date` is over a day off, or there are several. */
  readonly hasUnusableDate: boolean;
}

const minSkewMs = 60_000;
const maxSkewMs = 24 * 60 * 60_000;
const inStep: ClockSkew = { clockOffsetMs: 0, hasUnusableDate: false };

/** `receivedAt`: epoch ms, when the headers arrived. */
export function clockSkewOf(headers: Headers, receivedAt: number): ClockSkew {
  // Several `Date` headers are joined with commas. A date has one of its own, before its day of the month.
  const [text = '', ...others] = (headers['date'] ?? '').split(/,\s*(?=[a-z])/i);
  const unusable = { clockOffsetMs: 0, hasUnusableDate: true };
  if (others.length > 0) return unusable;
  const date = httpDate(text);
  if (date === undefined) return inStep;
  // `Date` says when the answer was made, and `Age` how long ago that is.
  const clockOffsetMs = date + ageMs(headers) - receivedAt;
  if (Math.abs(clockOffsetMs) < minSkewMs) return inStep;
  return Math.abs(clockOffsetMs) > maxSkewMs ? unusable : { clockOffsetMs, hasUnusableDate: false };
}

const maxAgeMs = 366 * 24 * 60 * 60_000;

/** How long the answer lay in caches. 0 without an `Age` that can be read; of several the first one counts. */
export function ageMs(headers: Headers): number {
  const [, seconds = '0'] = /^\s*(\d+)\s*(?:,|$)/.exec(headers['age'] ?? '') ?? [];
  const ms = Number(seconds) * 1000;
  // A cache that cannot read `Date` counts from 1970, and one that cannot count so far sends 2 ** 31.
  return ms > maxAgeMs ? 0 : ms;
}

/** Ms, from `Retry-After`. A date is compared with the answer's own `Date`, because either clock may be wrong. */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = httpDate(text);
  if (until === undefined) return undefined;
  const date = httpDate(headers['date'] ?? '');
  return Math.max(0, until - (date === undefined ? now : date + ageMs(headers)));
}

/** The two forms with a zone that servers send, also with digits left out, and ISO 8601. */
const zonedDate =
  /^(?:[a-z]{3,9}, \d{1,2}[ -][a-z]{3}[ -]\d{2,4} \d{1,2}:\d{2}:\d{2} (?:GMT|UTC|\+0000)|\d{4}-\d{2}-\d{2}T[\d:.]+Z)$/i;
/** That of C's `asctime`, which is in UTC without saying so. */
const unzonedDate = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;

/** Strict, since `Date.parse` finds a date in almost any text with a number. */
function httpDate(text: string): number | undefined {
  const trimmed = text.trim();
  if (zonedDate.test(trimmed)) return epochOf(trimmed);
  return unzonedDate.test(trimmed) ? epochOf(`${trimmed} GMT`) : undefined;
}

function epochOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}
