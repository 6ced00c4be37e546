import type { ListedDeployment } from '../../model/deployment.js';
import { isRecord } from '../isRecord.js';

/** Far longer than any id that fits into an address; what is longer is something else that was pasted by mistake. */
const longestId = 1000;

/** Whether it can stand in the list: not blank, and not so long that it can't be an id. */
export function isUsableId(id: string): boolean {
  return id.length <= longestId && /\S/.test(id);
}

/** One entry of the setting (contract, "Settings"): an id, or an object with an id and perhaps a label. */
export function readEntry(entry: unknown): ListedDeployment | undefined {
  if (typeof entry === 'string') return isUsableId(entry) ? { id: entry } : undefined;
  if (!isRecord(entry)) return undefined;
  const { id, label } = entry;
  if (typeof id !== 'string' || !isUsableId(id)) return undefined;
  if (label !== undefined && typeof label !== 'string') return undefined;
  const text = label?.trim();
  return text ? { id, label: text } : { id };
}

/** The lists of all scopes, in the order in which their labels count, as one: each id once, with the first label found. */
export function mergeEntries(values: readonly unknown[]): ListedDeployment[] {
  const merged = new Map<string, ListedDeployment>();
  for (const value of values) {
    for (const entry of entriesOf(value)) {
      const listed = readEntry(entry);
      if (!listed) continue;
      const known = merged.get(listed.id);
      if (!known || (known.label === undefined && listed.label !== undefined)) merged.set(listed.id, listed);
    }
  }
  return [...merged.values()];
}

/** What of one scope's value can't be read: entries, or (without an index) the whole value. */
export interface MalformedValue {
  readonly index?: number;
  readonly value: unknown;
}

export function malformedValues(value: unknown): MalformedValue[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ value }];
  const malformed: MalformedValue[] = [];
  for (const [index, entry] of value.entries()) if (!readEntry(entry)) malformed.push({ index, value: entry });
  return malformed;
}

export function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
