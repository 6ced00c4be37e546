import { isRecord } from '../../api/json.js';
import type { ListedDeployment } from '../../model/deployment.js';

/** Far longer than any id that fits into an address; what is longer is something else that was pasted by mistake. */
const longestId = 1000;

/** Whether it can stand in the list: not blank, and not so long that it can't be an id. */
export function isUsableId(id: string): boolean {
  return id.length <= longestId && /\S/.test(id);
}

/** One entry of the setting: an id, or an object with an id and perhaps a label. */
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

function entriesOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The shortest form of an entry. */
export function newEntry(id: string, label: string | undefined): unknown {
  return label ? { id, label } : id;
}

/** An entry taken out, with the place in the list to which it can go back. */
export interface RemovedEntry {
  readonly index: number;
  readonly entry: unknown;
}

export function withoutIds(
  value: unknown,
  ids: ReadonlySet<string>,
): { readonly rest: unknown[]; readonly removed: RemovedEntry[] } {
  const rest: unknown[] = [];
  const removed: RemovedEntry[] = [];
  for (const [index, entry] of entriesOf(value).entries()) {
    const id = readEntry(entry)?.id;
    if (id !== undefined && ids.has(id)) removed.push({ index, entry });
    else rest.push(entry);
  }
  return { rest, removed };
}

/** Puts entries back where they were, or at the end of a list that got shorter, except those that were listed again. */
export function withRestored(value: unknown, removed: readonly RemovedEntry[]): unknown[] {
  const list = [...entriesOf(value)];
  for (const { index, entry } of removed) {
    const id = readEntry(entry)?.id;
    // Only what is there now is looked at, not what was just put back, since the list may have had an id twice.
    if (id !== undefined && listsId(value, id)) continue;
    list.splice(Math.min(index, list.length), 0, entry);
  }
  return list;
}

/** Gives the label to the first entry of this id and takes it off the others. Other fields of an entry stay. */
export function withLabel(value: unknown, id: string, label: string | undefined): unknown[] {
  let given = false;
  return entriesOf(value).map((entry) => {
    if (readEntry(entry)?.id !== id) return entry;
    const own = given ? undefined : label;
    given = true;
    if (!isRecord(entry)) return newEntry(id, own);
    const { label: _, ...rest } = entry;
    if (own) return { ...rest, label: own };
    return Object.keys(rest).length === 1 ? id : rest;
  });
}

export function listsId(value: unknown, id: string): boolean {
  return entriesOf(value).some((entry) => readEntry(entry)?.id === id);
}

export function labelIn(value: unknown, id: string): string | undefined {
  return mergeEntries([value]).find((listed) => listed.id === id)?.label;
}
