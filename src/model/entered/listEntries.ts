import { isRecord } from '../../api/decode.js';
import type { ListedDeployment } from '../findings/deployment.js';
import { idProblem } from './enteredIds.js';

function isUsableId(id: string): boolean {
  return /\S/.test(id) && !idProblem(id, () => false);
}

export function readEntry(entry: unknown): ListedDeployment | undefined {
  if (typeof entry === 'string') return isUsableId(entry) ? { id: entry } : undefined;
  if (!isRecord(entry)) return undefined;
  const { id, label } = entry;
  if (typeof id !== 'string' || !isUsableId(id)) return undefined;
  if (label !== undefined && typeof label !== 'string') return undefined;
  const text = label?.trim();
  return text ? { id, label: text } : { id };
}

/**
 * The lists of all scopes, in the order in which their labels count, as one: each id once, with the
 * first label found.
 */
export function mergeEntries(values: readonly unknown[]): ListedDeployment[] {
  const merged = new Map<string, ListedDeployment>();
  for (const value of values) {
    for (const entry of entriesIn(value)) {
      const listed = readEntry(entry);
      if (!listed) continue;
      const known = merged.get(listed.id);
      if (!known || (known.label === undefined && listed.label !== undefined))
        merged.set(listed.id, listed);
    }
  }
  return [...merged.values()];
}

/** What of one scope's value can't be read: entries, or (without an index) the whole value. */
export function malformedValues(
  value: unknown,
): { readonly index?: number; readonly value: unknown }[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ value }];
  return value.flatMap((entry: unknown, index) =>
    readEntry(entry) ? [] : [{ index, value: entry }],
  );
}

export function entriesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function withoutIds(list: readonly unknown[], ids: ReadonlySet<string>): unknown[] {
  return list.filter((entry) => !hasId(entry, ids));
}

/**
 * Puts back what `before` had of these ids, where it stood or at the end of a shorter list, except
 * what is listed again.
 */
export function withRestored(
  list: readonly unknown[],
  before: readonly unknown[],
  ids: ReadonlySet<string>,
) {
  const listed = new Set(list.map((entry) => readEntry(entry)?.id));
  const restored = [...list];
  for (const [index, entry] of before.entries()) {
    if (hasId(entry, ids) && !listed.has(readEntry(entry)?.id)) restored.splice(index, 0, entry);
  }
  return restored;
}

/** Gives the label to each entry of this id, or takes it off. Other fields of an entry stay. */
export function withLabel(
  list: readonly unknown[],
  id: string,
  label: string | undefined,
): unknown[] {
  return list.map((entry) => {
    if (readEntry(entry)?.id !== id) return entry;
    const { label: _, ...rest } = isRecord(entry) ? entry : { id };
    if (label) return { ...rest, label };
    return Object.keys(rest).length === 1 ? id : rest;
  });
}

export function withId(list: readonly unknown[], id: string, changed: string): unknown[] {
  return list.map((entry) => {
    if (readEntry(entry)?.id !== id) return entry;
    return isRecord(entry) ? { ...entry, id: changed } : changed;
  });
}

export function labelIn(list: readonly unknown[], id: string): string | undefined {
  return mergeEntries([list]).find((listed) => listed.id === id)?.label;
}

export function hasId(entry: unknown, ids: ReadonlySet<string>): boolean {
  const id = readEntry(entry)?.id;
  return id !== undefined && ids.has(id);
}
