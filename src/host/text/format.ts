import { env, l10n } from 'vscode';
import { parseDateTime } from '../../model/dateTime.js';
import { type TimePart, type TimeUnit, timeAgo } from '../../model/timeLeft.js';

export { shorten } from './shorten.js';

const halfDay = 12 * 60 * 60 * 1000;

/** Made when first needed: each costs about a millisecond, and activation needs none. */
interface Formats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
  readonly relative: Intl.RelativeTimeFormat;
  readonly absolute: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly day: Intl.DateTimeFormat;
  readonly list: Intl.ListFormat;
  readonly betweenSentences: string;
  readonly unit: (name: TimeUnit) => Intl.NumberFormat;
}

let made: Formats | undefined;

/**
 * The language of our own texts: VS Code's, if we have a bundle for it, else English. Mixing a French "il y a 2 min" into an
 * English sentence, or choosing an English plural form by Russian rules, would help nobody.
 */
function language(): string {
  const wanted = l10n.bundle ? env.language : 'en';
  try {
    return Intl.getCanonicalLocales(wanted)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

function formats(): Formats {
  if (made) return made;
  const locale = language();
  const clock: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  if (env.remoteName !== undefined) clock.timeZoneName = 'short';
  const units = new Map<TimeUnit, Intl.NumberFormat>();
  made = {
    plural: new Intl.PluralRules(locale),
    number: new Intl.NumberFormat(locale),
    relative: new Intl.RelativeTimeFormat(locale, { style: 'short' }),
    // With the zone: in a remote window the clock of the machine is not the one on the wall.
    absolute: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }),
    clock: new Intl.DateTimeFormat(locale, clock),
    day: new Intl.DateTimeFormat(locale, { ...clock, year: 'numeric', month: 'short', day: 'numeric' }),
    // Not the type `unit`: it joins Chinese names with nothing between them.
    list: new Intl.ListFormat(locale, { type: 'conjunction', style: 'narrow' }),
    // A full-width full stop brings its own space.
    betweenSentences: /^(ja|zh)\b/.test(locale) ? '' : ' ',
    unit: (name) => {
      let format = units.get(name);
      if (!format) {
        format = new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short' });
        units.set(name, format);
      }
      return format;
    },
  };
  return made;
}

/** The form of a sentence that goes with this number. Both are whole sentences of their own, so each can be translated. */
export function plural(count: number, one: string, other: string): string {
  return formats().plural.select(count) === 'one' ? one : other;
}

/** "10,000" */
export function numberText(value: number): string {
  return formats().number.format(value);
}

/** "a, b, c" */
export function listText(values: readonly string[]): string {
  return formats().list.format(values);
}

/** Joins the parts of a description that are there. The dot is no word: it separates in every language. */
export function parts(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(' · ');
}

/** Joins whole sentences that are there. */
export function sentences(...texts: readonly (string | undefined)[]): string {
  return texts.filter((text) => text !== undefined && text !== '').join(formats().betweenSentences);
}

/** "2 min. ago"; under a minute "just now", so that the text changes once a minute at most. */
export function relativeTime(at: number, now: number): string {
  const { part } = timeAgo(at, now);
  return part ? formats().relative.format(-part.amount, part.unit) : l10n.t('just now');
}

/** "Nov 20, 2026, 9:14:03 AM GMT+1". Text of the service that is no date-time is given back as it came. */
export function absoluteTime(at: number | string): string {
  const time = typeof at === 'number' ? at : parseDateTime(at);
  return time === undefined ? String(at) : formats().absolute.format(time);
}

/** "09:14 AM", with the zone in a remote window; with the date where it is further away than half a day. */
export function clockTime(at: number, now: number = Date.now()): string {
  return (Math.abs(at - now) < halfDay ? formats().clock : formats().day).format(at);
}

/** One of our words at the start of a row: as a heading begins in this language. */
export function heading(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return first.toLocaleUpperCase(language()) + text.slice(first.length);
}

/** "1 hr 20 min", "46 min", "12 sec" */
export function durationText(duration: readonly TimePart[]): string {
  return duration.map((part) => formats().unit(part.unit).format(part.amount)).join(' ');
}

/** "30 sec", for a time-out. */
export function secondsText(ms: number): string {
  return formats()
    .unit('second')
    .format(Math.round(ms / 1000));
}
