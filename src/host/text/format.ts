import { l10n } from 'vscode';
import { lazy } from '../../model/base/lazy.js';
import { halfDay, parseDateTime, type TimePart, timeAgo } from '../../model/base/time.js';

/** That of the texts, so that no French "il y a 2 min" stands in an English sentence: the bundle that VS Code loaded is named after it. */
const language = lazy(() => /([^.]+)\.json$/.exec(l10n.uri?.path ?? '')?.[1] ?? 'en');

/** Set once, because every function that says a time would need it. */
let isRemote = false;

/**
 * The machine of a remote window may be in another zone than the user: its times have their zone,
 * and rows say ages.
 */
export function setRemoteWindow(remote: boolean): void {
  isRemote = remote;
}

/** Whether rows say how old something is, and so have to be drawn again. */
export function rowsShowAges(): boolean {
  return isRemote;
}

// Each is made when first needed, since making one takes a millisecond or two.
const pluralRules = lazy(() => new Intl.PluralRules(language()));
const numbers = lazy(() => new Intl.NumberFormat(language()));
const relativeTimes = lazy(() => new Intl.RelativeTimeFormat(language()));
const absoluteTimes = lazy(
  () => new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'long' }),
);
const days = lazy(() => new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }));
const weekdays = lazy(() => new Intl.DateTimeFormat(language(), { weekday: 'long' }));
const hourAndMinute = { hour: 'numeric', minute: '2-digit' } as const;
const dayAndTime = { ...hourAndMinute, year: 'numeric', month: 'short', day: 'numeric' } as const;
const zone = { timeZoneName: 'short' } as const;
const clockTimes = lazy(() => new Intl.DateTimeFormat(language(), hourAndMinute));
const dayTimes = lazy(() => new Intl.DateTimeFormat(language(), dayAndTime));
const zonedTimes = lazy(() => new Intl.DateTimeFormat(language(), { ...hourAndMinute, ...zone }));
const zonedDayTimes = lazy(() => new Intl.DateTimeFormat(language(), { ...dayAndTime, ...zone }));
// The type `unit` would join Chinese names with nothing between them.
const lists = lazy(() => new Intl.ListFormat(language(), { style: 'narrow' }));
const longLists = lazy(() => new Intl.ListFormat(language()));
const choices = lazy(() => new Intl.ListFormat(language(), { type: 'disjunction' }));
// Full-width punctuation brings its own space.
const betweenSentences = lazy(() => (/^(ja|zh)\b/.test(language()) ? '' : ' '));

/** The sentence for this number. Both forms are whole sentences, so that each can be translated. */
export function plural(count: number, one: string, other: string): string {
  return pluralRules().select(count) === 'one' ? one : other;
}

export function numberText(value: number): string {
  // None of our languages groups digits below a thousand, and every row has such numbers.
  return value < 1000 ? String(value) : numbers().format(value);
}

/** "a, b, c"; long: "a, b, and c"; or: "a, b, or c" */
export function listText(
  values: readonly string[],
  style: 'narrow' | 'long' | 'or' = 'narrow',
): string {
  const formats = { narrow: lists, long: longLists, or: choices };
  let text = '';
  for (const { value } of formats[style]().formatToParts(values)) {
    // "a 和 b"
    text += (/[!-~][ぁ-龠]|[ぁ-龠][!-~]/.test(text.slice(-1) + value.charAt(0)) ? ' ' : '') + value;
  }
  return text;
}

export function firstWithMore<T>(
  all: readonly T[],
  max: number,
  write: (one: T) => string,
): readonly string[] {
  const more = all.length - max;
  const rest = more > 0 ? [l10n.t('{count} more', { count: numberText(more) })] : [];
  return [...all.slice(0, max).map(write), ...rest];
}

export function joinWithDots(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(' · ');
}

export function joinSentences(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(betweenSentences());
}

const commas: Readonly<Record<string, string>> = { ja: '、', zh: '，' };

/** "slack, acc_1", in Japanese 「slack、acc_1」: parts that are no list of equals. No comma follows a full stop. */
export function joinWithCommas(...texts: readonly (string | undefined)[]): string {
  const comma = commas[language().slice(0, 2)] ?? ', ';
  return texts.reduce<string>((joined, text) => {
    if (!text) return joined;
    if (joined === '') return text;
    return joined + ('.。'.includes(joined.slice(-1)) ? betweenSentences() : comma) + text;
  }, '');
}

/** "Billing sync, deployment": a screen reader pauses at commas, but not at the dots between parts. */
export function joinForScreenReader(...texts: readonly (string | undefined)[]): string {
  return joinWithCommas(...texts.flatMap((text) => text?.split(' · ')));
}

/** "2 minutes ago", after 60 days a date. In the first minute "just now", so that the text changes once a minute at most. */
export function relativeTime(at: number, now: number): string {
  const part = timeAgo(at, now);
  if (part?.unit === 'day' && part.amount > 60) return days().format(at);
  return part ? spaced(relativeTimes().format(-part.amount, part.unit)) : l10n.t('just now');
}

/** "5 天前": VS Code's language packs have a space between a number and its unit, `Intl` has none in Chinese. */
function spaced(text: string): string {
  return text.replace(/\d(?=[一-龠])/, '$& ');
}

/** "Nov 20, 2026, 9:14:03 AM GMT+1". Text of the platform that is no date-time is given back as it came. */
export function absoluteTime(at: number | string): string {
  const time = typeof at === 'number' ? at : parseDateTime(at);
  return time === undefined ? String(at) : absoluteTimes().format(time);
}

/** "9:14 AM", in a remote window "9:14 AM UTC"; with the date if it is more than half a day away. */
export function clockTime(at: number, now: number = Date.now()): string {
  if (Math.abs(at - now) < halfDay) return timeOfDay(at);
  return (isRemote ? zonedDayTimes() : dayTimes()).format(at);
}

function timeOfDay(at: number): string {
  return (isRemote ? zonedTimes() : clockTimes()).format(at);
}

/**
 * Where there is little room, the longest first: "9:14 AM UTC" and "9:14 AM"; "Nov 20" if it is another day and more
 * than half a day away.
 */
export function shortTimesLongestFirst(
  at: number,
  now: number = Date.now(),
): readonly [string, ...string[]] {
  if (Math.abs(at - now) < halfDay || isSameDay(at, now))
    return [timeOfDay(at), clockTimes().format(at)];
  return [new Intl.DateTimeFormat(language(), { month: 'short', day: 'numeric' }).format(at)];
}

/** What a row says of a moment that has passed: "9:14 AM", in a remote window "12 min ago". */
export function timeInRow(at: number, now: number): string {
  if (!isRemote) return clockTime(at, now);
  const part = timeAgo(at, now);
  return part ? l10n.t('{time} ago', { time: durationText([part]) }) : l10n.t('just now');
}

/** A day to come: today the time, then "Friday", from six days on the date. */
export function futureDayOrTime(at: number, now: number): string {
  if (isSameDay(at, now)) return timeOfDay(at);
  return (at - now < 6 * 2 * halfDay ? weekdays() : days()).format(at);
}

function isSameDay(one: number, other: number): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

export function capitalized(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return first.toLocaleUpperCase(language()) + text.slice(first.length);
}

export function durationText(duration: readonly TimePart[]): string {
  return duration
    .map(({ unit, amount }) =>
      spaced(new Intl.NumberFormat(language(), { style: 'unit', unit }).format(amount)),
    )
    .join(' ');
}
