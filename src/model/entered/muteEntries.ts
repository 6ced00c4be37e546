import { isRecord } from '../../api/decode.js';
import { day } from '../base/time.js';
import { shortTextProblem } from './shortTexts.js';

/** What an entry mutes: a failed account, or a requirement that is not satisfied. */
export type MuteSubject =
  | {
      readonly kind: 'account';
      /** The ID of the account. */
      readonly account: string;
      /** The code of its error; '' for an error without a code. */
      readonly error: string;
    }
  | {
      readonly kind: 'requirement';
      /** The ID of the deployment. */
      readonly deployment: string;
      /** The `binding` of the requirement. */
      readonly requirement: string;
      /** The missing scopes, in any order; none for a requirement that lacks no scope. */
      readonly missing: readonly string[];
    };

/** A usable entry of the setting `mutes`. */
export interface MuteEntry {
  readonly subject: MuteSubject;
  /** The day on which it was written, by UTC: "2026-11-25". */
  readonly since: string;
  /** Its last day, by UTC: "2026-12-31". */
  readonly until: string;
  /** Epoch ms at which its last day ends. */
  readonly endsAt: number;
  /** Without white space around it. */
  readonly reason: string;
}

export const maxReasonChars = 200;
/** The most days from `since` to `until`. */
export const maxMuteDays = 366;

/** The value of the setting in one scope. */
export interface ReadMuteEntries {
  /** The usable entries, with their places in the list. */
  readonly entries: readonly { readonly index: number; readonly entry: MuteEntry }[];
  readonly malformed: readonly MalformedMute[];
}

/** An entry that mutes nothing; the whole value, which is no list, has no index. */
export interface MalformedMute {
  readonly index?: number;
  readonly value: unknown;
  /** Why, in English, for logs: "“until” is not a day such as 2026-12-31". */
  readonly reason: string;
}

interface ReadOptions {
  /** Epoch ms. */
  readonly now: number;
  /** Whether a text contains a token that is known here. */
  readonly hasToken: (text: string) => boolean;
}

/**
 * Reads the value of the setting `mutes` in one scope. An entry that says less or more than it
 * should mutes nothing, because another one was meant.
 */
export function readMuteEntries(value: unknown, options: ReadOptions): ReadMuteEntries {
  if (value === undefined) return { entries: [], malformed: [] };
  if (!Array.isArray(value)) {
    return { entries: [], malformed: [{ value, reason: 'the value is not a list' }] };
  }
  const entries: { index: number; entry: MuteEntry }[] = [];
  const malformed: MalformedMute[] = [];
  for (const [index, entryValue] of (value as readonly unknown[]).entries()) {
    try {
      entries.push({ index, entry: readMuteEntry(entryValue, options) });
    } catch (error) {
      if (!(error instanceof MalformedEntry)) throw error;
      malformed.push({ index, value: entryValue, reason: error.message });
    }
  }
  return { entries, malformed };
}

/** Its message says why an entry mutes nothing. */
class MalformedEntry extends Error {}

/** The values of an entry's own fields, by name. What it inherits is no field of it. */
type Fields = ReadonlyMap<string, unknown>;

const accountFields = ['account', 'error'];
const requirementFields = ['deployment', 'requirement', 'missing'];
const commonFields = ['since', 'until', 'reason'];

/** Throws `MalformedEntry`. */
function readMuteEntry(value: unknown, { now, hasToken }: ReadOptions): MuteEntry {
  const fields = fieldsOf(value);
  const subject = readSubject(fields);
  const since = textIn(fields, 'since');
  const until = textIn(fields, 'until');
  const reason = readReason(fields);
  const untilAt = readDates(since, until, now);

  const names = [...fieldsThatName(subject), ...commonFields];
  const hasOtherFields = Array.from(fields.keys()).some((name) => !names.includes(name));
  if (hasOtherFields) throw new MalformedEntry(`it has other fields than ${names.join(', ')}`);
  const texts = Array.from(fields.values()).flat().map(String);
  if (texts.some(hasToken)) throw new MalformedEntry('it contains a token');
  return { subject, since, until, endsAt: untilAt + day, reason };
}

/** Throws `MalformedEntry`. */
function fieldsOf(entry: unknown): Fields {
  if (!isRecord(entry)) throw new MalformedEntry('it is not an object');
  return new Map(Object.entries(entry));
}

function fieldsThatName({ kind }: MuteSubject): readonly string[] {
  return kind === 'account' ? accountFields : requirementFields;
}

/** Throws `MalformedEntry`. */
function readSubject(fields: Fields): MuteSubject {
  const isOfAccount = accountFields.some((name) => fields.has(name));
  const isOfRequirement = requirementFields.some((name) => fields.has(name));
  if (isOfAccount && isOfRequirement)
    throw new MalformedEntry('it names an account and a requirement');
  if (isOfAccount) {
    const account = nameIn(fields, 'account');
    return { kind: 'account', account, error: textIn(fields, 'error') };
  }
  if (isOfRequirement) {
    const deployment = nameIn(fields, 'deployment');
    const requirement = nameIn(fields, 'requirement');
    return { kind: 'requirement', deployment, requirement, missing: missingScopesIn(fields) };
  }
  throw new MalformedEntry('it names neither an account nor a requirement');
}

/** Returns a text that is equal for entries that name the same account or requirement. */
export function keyOfSubject(subject: MuteSubject): string {
  return subject.kind === 'account'
    ? keyOfAccount(subject.account)
    : keyOfRequirement(subject.deployment, subject.requirement);
}

/** Returns the key of an entry that names this account. */
export function keyOfAccount(id: string): string {
  return JSON.stringify([id]);
}

/** Returns the key of an entry that names this requirement. */
export function keyOfRequirement(deploymentId: string, binding: string): string {
  return JSON.stringify([deploymentId, binding]);
}

/** Returns the key of what a usable entry names; `undefined` if the entry is malformed. */
export function keyOfEntry(entry: unknown, options: ReadOptions): string | undefined {
  const [usable] = readMuteEntries([entry], options).entries;
  return usable && keyOfSubject(usable.entry.subject);
}

/** Returns the entry as it stands in a settings file. */
export function toJson({ subject, since, until, reason }: Omit<MuteEntry, 'endsAt'>): object {
  const { kind: _, ...named } = subject;
  return { ...named, since, until, reason };
}

/** Throws `MalformedEntry`. */
function textIn(fields: Fields, field: string): string {
  const value = fields.get(field);
  if (value === undefined) throw new MalformedEntry(`“${field}” is missing`);
  if (typeof value !== 'string') throw new MalformedEntry(`“${field}” is not a text`);
  return value;
}

/** Returns an ID, or the name of a requirement. Throws `MalformedEntry` if it is blank. */
function nameIn(fields: Fields, field: string): string {
  const name = textIn(fields, field);
  if (name.trim() === '') throw new MalformedEntry(`“${field}” is empty`);
  return name;
}

/** Throws `MalformedEntry`. */
function missingScopesIn(fields: Fields): readonly string[] {
  const missing = fields.get('missing');
  if (missing === undefined) throw new MalformedEntry('“missing” is missing');
  const isList = Array.isArray(missing) && missing.every((scope) => typeof scope === 'string');
  if (!isList) throw new MalformedEntry('“missing” is not a list of scopes');
  return missing;
}

/** Returns the reason without white space around it. Throws `MalformedEntry`. */
function readReason(fields: Fields): string {
  const reason = textIn(fields, 'reason').trim();
  if (reasonProblem(reason) === undefined) return reason;
  throw new MalformedEntry(`“reason” does not have 1 to ${maxReasonChars} characters`);
}

/**
 * Returns why a text without white space around it cannot be a reason; `undefined` if it can.
 * `empty`: a reader would see no character of it.
 */
export function reasonProblem(text: string): 'empty' | 'tooLong' | undefined {
  return shortTextProblem(text, maxReasonChars);
}

/** Returns the epoch ms at which the last day begins. Throws `MalformedEntry`. */
function readDates(since: string, until: string, now: number): number {
  const sinceAt = readDay('since', since);
  const untilAt = readDay('until', until);
  // East of UTC a day begins earlier, so tomorrow may be the day on which the entry was written.
  if (sinceAt > startOfDay(now) + day) throw new MalformedEntry('“since” is later than tomorrow');
  // Otherwise an entry that is refused now could begin to mute years later.
  if (untilAt - sinceAt > maxMuteDays * day) {
    throw new MalformedEntry(`“until” is more than ${maxMuteDays} days after “since”`);
  }
  return untilAt;
}

/** Throws `MalformedEntry`. */
function readDay(field: string, text: string): number {
  const at = dayOf(text);
  if (at === undefined) throw new MalformedEntry(`“${field}” is not a day such as 2026-12-31`);
  return at;
}

/** Returns the epoch ms at which a day such as "2026-12-31" begins in UTC; `undefined` if none. */
export function dayOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const at = Date.parse(text);
  // `Date` turns 30 February into a day in March.
  const isOfCalendar = !Number.isNaN(at) && dayText(at) === text;
  return isOfCalendar ? at : undefined;
}

/** "2026-12-31", the day in UTC. `at`: epoch ms of a year that has four digits. */
export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}

/** Returns the epoch ms at which the day of a time begins in UTC. */
export function startOfDay(at: number): number {
  return Math.floor(at / day) * day;
}
