import { isRecord } from '../isRecord.js';
import { entriesOf, mergeEntries, readEntry } from './entries.js';

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

/** Puts entries back where they were as far as the list still goes; what was listed again meanwhile stays as it is. */
export function withRestored(value: unknown, removed: readonly RemovedEntry[]): unknown[] {
  const list = [...entriesOf(value)];
  for (const { index, entry } of removed) {
    const id = readEntry(entry)?.id;
    // In what is there now, not in what is already put back: the list may have had an id twice.
    if (id !== undefined && listsId(value, id)) continue;
    list.splice(Math.min(index, list.length), 0, entry);
  }
  return list;
}

/** The label goes to the first entry of this id, off every one of them; other fields of an entry stay. */
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
