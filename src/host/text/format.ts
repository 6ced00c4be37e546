import { env, l10n } from 'vscode';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Made when first needed: each costs about a millisecond, and activation needs none. */
interface Formats {
  readonly plural: Intl.PluralRules;
  readonly number: Intl.NumberFormat;
  readonly relative: Intl.RelativeTimeFormat;
  readonly absolute: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly list: Intl.ListFormat;
  readonly unit: (name: 'second' | 'minute' | 'hour' | 'day') => Intl.NumberFormat;
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
  const units = new Map<string, Intl.NumberFormat>();
  made = {
    plural: new Intl.PluralRules(locale),
    number: new Intl.NumberFormat(locale),
    relative: new Intl.RelativeTimeFormat(locale, { style: 'short' }),
    // With the zone: in a remote window the clock of the machine is not the one on the wall.
    absolute: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' }),
    clock: new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      ...(env.remoteName === undefined ? {} : { timeZoneName: 'short' }),
    }),
    list: new Intl.ListFormat(locale, { type: 'unit', style: 'short' }),
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
  return texts.filter((text) => text !== undefined && text !== '').join(' ');
}

/** The biggest unit that fits, rounded down: an age of 119 seconds is one minute. */
function scale(ms: number): readonly [number, 'second' | 'minute' | 'hour' | 'day'] {
  if (ms < minute) return [Math.floor(ms / second), 'second'];
  if (ms < hour) return [Math.floor(ms / minute), 'minute'];
  if (ms < day) return [Math.floor(ms / hour), 'hour'];
  return [Math.floor(ms / day), 'day'];
}

/**
 * "2 min. ago", "in 3 hr.". Under a minute of age it says "just now", so that the text changes once a minute at most.
 */
export function relativeTime(at: number, now: number): string {
  const difference = at - now;
  if (difference <= 0 && difference > -minute) return l10n.t('just now');
  const [amount, unit] = scale(Math.abs(difference));
  return formats().relative.format(difference < 0 ? -amount : amount, unit);
}

/** "Nov 20, 2026, 9:14:03 AM GMT+1". What is no date is given back as it came. */
export function absoluteTime(at: number | string): string {
  const time = typeof at === 'number' ? at : Date.parse(at);
  return Number.isNaN(time) ? String(at) : formats().absolute.format(time);
}

/** "09:14 AM", with the zone in a remote window. On another day than now, the whole date. */
export function clockTime(at: number, now: number = Date.now()): string {
  return Math.abs(at - now) < 12 * hour ? formats().clock.format(at) : absoluteTime(at);
}

/** "46 min", "30 sec", "3 hr", "2 days": rounded down. */
export function duration(ms: number): string {
  const [amount, unit] = scale(Math.max(0, ms));
  return formats().unit(unit).format(amount);
}

/** A value in a sentence or label: long ones are cut, the hover has them whole up to its bound. Never splits a character. */
export function shorten(value: string, max = 80): string {
  if (value.length <= max) return value;
  const characters = Array.from(value.slice(0, max * 2));
  return characters.length <= max ? value : `${characters.slice(0, max - 1).join('')}…`;
}
