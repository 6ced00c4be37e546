import { l10n } from 'vscode';
import { lazy } from '../../model/base/lazy.js';
import { day, halfDay, parseDateTime, type TimePart, timeAgo } from '../../model/base/time.js';

/**
 * "de", "zh-cn", or "en": the language of the texts, so that no French "il y a 2 min" stands in an
 * English sentence. The file of texts that VS Code loaded has it before its extension.
 */
const languageTag = lazy(() => {
  const bundlePath = l10n.uri?.path ?? '';
  const [, tag] = /([^.]+)\.json$/.exec(bundlePath) ?? [];
  return tag ?? 'en';
});

/** Set once at activation, because every function that shows a time would need it. */
let isRemoteWindow = false;

/**
 * The machine of a remote window may be in another time zone than the user. Clock times then name
 * their zone, and rows show ages ("12 min ago") instead of times of day.
 */
export function setRemoteWindow(isRemote: boolean): void {
  isRemoteWindow = isRemote;
}

/** Whether rows show how old something is, and so have to be drawn anew as time passes. */
export function rowsShowAges(): boolean {
  return isRemoteWindow;
}

// Each formatter is made when first needed, because making one takes a millisecond or two.
const pluralRules = lazy(() => new Intl.PluralRules(languageTag()));
const numberFormat = lazy(() => new Intl.NumberFormat(languageTag()));

const hourAndMinute = { hour: 'numeric', minute: '2-digit' } as const;
const dayAndTime = { ...hourAndMinute, year: 'numeric', month: 'short', day: 'numeric' } as const;
const zone = { timeZoneName: 'short' } as const;

/** "5 minutes ago" */
const relativeTimeFormat = lazy(() => new Intl.RelativeTimeFormat(languageTag()));
/** "Nov 20, 2026, 9:14:03 AM GMT+1" */
const absoluteTimeFormat = lazy(() => dateTimeFormat({ dateStyle: 'medium', timeStyle: 'long' }));
/** "Nov 20, 2026" */
const dateFormat = lazy(() => dateTimeFormat({ dateStyle: 'medium' }));
const monthAndDay = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
/** "Dec 31" */
const utcDayFormat = lazy(() => dateTimeFormat(monthAndDay));
/** "Jan 15, 2027" */
const utcDayWithYearFormat = lazy(() => dateTimeFormat({ ...monthAndDay, year: 'numeric' }));
/** "Friday" */
const weekdayFormat = lazy(() => dateTimeFormat({ weekday: 'long' }));
/** "9:14 AM" */
const timeOfDayFormat = lazy(() => dateTimeFormat(hourAndMinute));
/** "9:14 AM UTC" */
const zonedTimeOfDayFormat = lazy(() => dateTimeFormat({ ...hourAndMinute, ...zone }));
/** "Nov 20, 2026, 9:14 AM" */
const dayAndTimeFormat = lazy(() => dateTimeFormat(dayAndTime));
/** "Nov 20, 2026, 9:14 AM UTC" */
const zonedDayAndTimeFormat = lazy(() => dateTimeFormat({ ...dayAndTime, ...zone }));

function dateTimeFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(languageTag(), options);
}

/** How each style of `listText` joins its last value. */
const listFormats = {
  /** "a, b, c". The type `unit` would join Chinese names with nothing between them. */
  narrow: lazy(() => new Intl.ListFormat(languageTag(), { style: 'narrow' })),
  /** "a, b, and c" */
  long: lazy(() => new Intl.ListFormat(languageTag())),
  /** "a, b, or c" */
  or: lazy(() => new Intl.ListFormat(languageTag(), { type: 'disjunction' })),
} as const;

/** Full-width punctuation brings its own space. */
const sentenceSeparator = lazy(() => (/^(ja|zh)\b/.test(languageTag()) ? '' : ' '));

/**
 * Returns the text that goes with this number: "1 deployment", "2 deployments". Both forms are
 * whole sentences or phrases, so that each can be translated.
 */
export function plural(count: number, one: string, other: string): string {
  return pluralRules().select(count) === 'one' ? one : other;
}

/** "7", "1,234" */
export function numberText(value: number): string {
  // None of our languages groups digits below a thousand, and every row has such numbers.
  return value < 1000 ? String(value) : numberFormat().format(value);
}

/** "a, b, c"; long: "a, b, and c"; or: "a, b, or c". */
export function listText(
  values: readonly string[],
  style: 'narrow' | 'long' | 'or' = 'narrow',
): string {
  let text = '';
  for (const { value } of listFormats[style]().formatToParts(values)) {
    if (needsSpaceBetween(text, value)) text += ' ';
    text += value;
  }
  return text;
}

/** Whether a Latin and a Chinese or Japanese character would meet: "a和b" is to be "a 和 b". */
function needsSpaceBetween(before: string, after: string): boolean {
  const meeting = before.slice(-1) + after.charAt(0);
  return /[!-~][ぁ-龠]|[ぁ-龠][!-~]/.test(meeting);
}

/**
 * Returns the texts of the first `max` items, and "3 more" as one text after them if there are more
 * items. `textOf` is called for those `max` items alone.
 */
export function firstWithMore<T>(
  items: readonly T[],
  max: number,
  textOf: (item: T) => string,
): readonly string[] {
  const texts = items.slice(0, max).map(textOf);
  const moreCount = items.length - max;
  if (moreCount > 0) texts.push(l10n.t('{count} more', { count: numberText(moreCount) }));
  return texts;
}

/** "muted until Friday · new". Leaves out texts that are empty or `undefined`. */
export function joinWithDots(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(' · ');
}

/** "Not found (404). Check the ID." Leaves out sentences that are empty or `undefined`. */
export function joinSentences(...texts: readonly (string | undefined)[]): string {
  return texts.filter(Boolean).join(sentenceSeparator());
}

/** By the first two letters of a language tag; other languages have ", ". */
const commas: Readonly<Record<string, string>> = { ja: '、', zh: '，' };

/**
 * "slack, acc_1", in Japanese 「slack、acc_1」: for texts that are no list of equals. No comma
 * follows a full stop. Leaves out texts that are empty or `undefined`.
 */
export function joinWithCommas(...texts: readonly (string | undefined)[]): string {
  const comma = commas[languageTag().slice(0, 2)] ?? ', ';
  let joined = '';
  for (const text of texts) {
    if (!text) continue;
    if (joined !== '') {
      const endsWithFullStop = '.。'.includes(joined.slice(-1));
      joined += endsWithFullStop ? sentenceSeparator() : comma;
    }
    joined += text;
  }
  return joined;
}

/**
 * "Billing sync, deployment": a screen reader pauses at commas, but not at the dots that
 * `joinWithDots` puts between texts. Leaves out texts that are empty or `undefined`.
 */
export function joinForScreenReader(...texts: readonly (string | undefined)[]): string {
  const undotted = texts.flatMap((text) => text?.split(' · '));
  return joinWithCommas(...undotted);
}

/**
 * "2 minutes ago", after 60 days "Nov 20, 2026". In the first minute "just now", so that the text
 * changes once a minute at most. `at`, `now`: epoch ms.
 */
export function relativeTime(at: number, now: number): string {
  const age = timeAgo(at, now);
  if (age === undefined) return l10n.t('just now');
  if (age.unit === 'day' && age.amount > 60) return dateFormat().format(at);
  return withSpaceAfterNumber(relativeTimeFormat().format(-age.amount, age.unit));
}

/**
 * "5 天前": VS Code's language packs have a space between a number and its unit, and `Intl` has none
 * in Chinese.
 */
function withSpaceAfterNumber(text: string): string {
  return text.replace(/\d(?=[一-龠])/, '$& ');
}

/**
 * "Nov 20, 2026, 9:14:03 AM GMT+1". `at`: epoch ms, or text of the platform, which is returned
 * unchanged if it is no date-time.
 */
export function absoluteTime(at: number | string): string {
  const epochMs = typeof at === 'number' ? at : parseDateTime(at);
  return epochMs === undefined ? String(at) : absoluteTimeFormat().format(epochMs);
}

/**
 * "9:14 AM", in a remote window "9:14 AM UTC"; "Nov 20, 2026, 9:14 AM" if it is more than half a
 * day away. `at`, `now`: epoch ms.
 */
export function clockTime(at: number, now: number = Date.now()): string {
  if (isWithinHalfDay(at, now)) return timeOfDay(at);
  const format = isRemoteWindow ? zonedDayAndTimeFormat() : dayAndTimeFormat();
  return format.format(at);
}

/** "9:14 AM", in a remote window "9:14 AM UTC". `at`: epoch ms. */
function timeOfDay(at: number): string {
  const format = isRemoteWindow ? zonedTimeOfDayFormat() : timeOfDayFormat();
  return format.format(at);
}

/**
 * Texts for one time, to choose from where there is little room: "9:14 AM UTC" and "9:14 AM" (in a
 * local window twice "9:14 AM"); only "Nov 20" if the time is on another day and more than half a
 * day away. `at`, `now`: epoch ms.
 */
export function shortTimesLongestFirst(
  at: number,
  now: number = Date.now(),
): readonly [string, ...string[]] {
  if (isWithinHalfDay(at, now) || isSameDay(at, now)) {
    return [timeOfDay(at), timeOfDayFormat().format(at)];
  }
  return [dateTimeFormat({ month: 'short', day: 'numeric' }).format(at)];
}

/**
 * What a row shows of a moment that has passed: "9:14 AM", in a remote window "12 min ago" or "just
 * now". `at`, `now`: epoch ms.
 */
export function timeInRow(at: number, now: number): string {
  if (!isRemoteWindow) return clockTime(at, now);
  const age = timeAgo(at, now);
  return age ? l10n.t('{time} ago', { time: durationText([age]) }) : l10n.t('just now');
}

/**
 * A time to come: "9:14 AM" if it is today, "Friday" within six days, else "Nov 20, 2026". `at`,
 * `now`: epoch ms.
 */
export function futureDayOrTime(at: number, now: number): string {
  if (isSameDay(at, now)) return timeOfDay(at);
  const isWithinSixDays = at - now < 6 * day;
  return (isWithinSixDays ? weekdayFormat() : dateFormat()).format(at);
}

/**
 * "Dec 31", in another year than the present one "Jan 15, 2027": a day in UTC, which is the same
 * day in every time zone. `utcDay`: "2026-12-31". `now`: epoch ms; without it, the year is always
 * named.
 */
export function utcDayText(utcDay: string, now?: number): string {
  const at = Date.parse(utcDay);
  const isThisYear =
    now !== undefined && new Date(at).getUTCFullYear() === new Date(now).getUTCFullYear();
  return (isThisYear ? utcDayFormat() : utcDayWithYearFormat()).format(at);
}

function isWithinHalfDay(at: number, now: number): boolean {
  return Math.abs(at - now) < halfDay;
}

/** Whether two times, in epoch ms, are on one day in this machine's time zone. */
function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** "Muted until Friday" for "muted until Friday". An empty text becomes a space. */
export function capitalized(text: string): string {
  const space = 0x20;
  const first = String.fromCodePoint(text.codePointAt(0) ?? space);
  return first.toLocaleUpperCase(languageTag()) + text.slice(first.length);
}

type Unit = TimePart['unit'];

function unitFormat(unit: Unit) {
  return lazy(() => new Intl.NumberFormat(languageTag(), { style: 'unit', unit }));
}

const unitFormats: Readonly<Record<Unit, () => Intl.NumberFormat>> = {
  day: unitFormat('day'),
  hour: unitFormat('hour'),
  minute: unitFormat('minute'),
  second: unitFormat('second'),
};

/** "1 hr 20 min" of an hour and 20 minutes; "" without parts. */
export function durationText(duration: readonly TimePart[]): string {
  const texts = duration.map(({ unit, amount }) =>
    withSpaceAfterNumber(unitFormats[unit]().format(amount)),
  );
  return texts.join(' ');
}
