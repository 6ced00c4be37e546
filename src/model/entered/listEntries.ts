import { isRecord } from '../../api/decode.js';
import type { ListedDeployment } from '../findings/deployment.js';
import { idProblem } from './enteredIds.js';

function isUsableId(id: string): boolean {
  return /\S/.test(id) && idProblem(id, () => false) === undefined;
}

/**
 * Reads an entry of the setting `deployments`: an ID, or an object with `id` and perhaps `label`.
 * Returns `undefined` if the entry is malformed. A blank label is left out.
 */
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
 * Merges the lists of all scopes into one, which has each ID once, with the first label found.
 * `values`: the value of each scope, in the order in which their labels count.
 */
export function mergeEntries(values: readonly unknown[]): ListedDeployment[] {
  const merged = new Map<string, ListedDeployment>();
  for (const value of values) {
    for (const entry of entriesIn(value)) {
      const deployment = readEntry(entry);
      if (!deployment) continue;
      const earlier = merged.get(deployment.id);
      const addsLabel = earlier?.label === undefined && deployment.label !== undefined;
      if (!earlier || addsLabel) merged.set(deployment.id, deployment);
    }
  }
  return [...merged.values()];
}

/** What can't be read: an entry with its index, or the whole value of a scope without one. */
export interface MalformedValue {
  readonly index?: number;
  readonly value: unknown;
}

/** Returns what can't be read in the value of one scope. */
export function malformedValues(value: unknown): readonly MalformedValue[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [{ value }];
  const malformed: MalformedValue[] = [];
  for (const [index, entry] of (value as readonly unknown[]).entries()) {
    if (readEntry(entry) === undefined) malformed.push({ index, value: entry });
  }
  return malformed;
}

/** Returns the value of one scope, or an empty list if it is no list. */
export function entriesIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns what an entry is recognized by; `undefined` if it is malformed. */
type KeyOf = (entry: unknown) => string | undefined;

/**
 * Leaves out the entries that have one of these keys, by default the IDs of deployments. Malformed
 * entries stay.
 */
export function withoutKeys(
  list: readonly unknown[],
  keys: ReadonlySet<string>,
  keyOf: KeyOf = idOf,
): unknown[] {
  return list.filter((entry) => !hasKey(entry, keys, keyOf));
}

/** Whether an entry is well-formed and has one of these keys. */
export function hasKey(entry: unknown, keys: ReadonlySet<string>, keyOf: KeyOf): boolean {
  const key = keyOf(entry);
  return key !== undefined && keys.has(key);
}

/**
 * Puts back the entries that `before` had with these keys, by default the IDs of deployments: at
 * the same index, or at the end of a shorter list. A key that the list has meanwhile is not put
 * back.
 */
export function withRestored(
  list: readonly unknown[],
  before: readonly unknown[],
  keys: ReadonlySet<string>,
  keyOf: KeyOf = idOf,
): unknown[] {
  const keysInList = new Set(list.map(keyOf));
  const restored = [...list];
  for (const [index, entry] of before.entries()) {
    const key = keyOf(entry);
    const isConcerned = key !== undefined && keys.has(key);
    if (isConcerned && !keysInList.has(key)) restored.splice(index, 0, entry);
  }
  return restored;
}

/** Returns the ID of an entry; `undefined` if the entry is malformed. */
export function idOf(entry: unknown): string | undefined {
  return readEntry(entry)?.id;
}

/**
 * Gives the label to each entry of this ID, or takes it off if `label` is `undefined` or empty.
 * Other fields of an entry stay; an entry with no other field than its ID becomes a string.
 */
export function withLabel(
  list: readonly unknown[],
  id: string,
  label: string | undefined,
): unknown[] {
  return list.map((entry) => {
    if (readEntry(entry)?.id !== id) return entry;
    const { label: _, ...withoutLabel } = isRecord(entry) ? entry : { id };
    if (label) return { ...withoutLabel, label };
    const hasOnlyId = Object.keys(withoutLabel).length === 1;
    return hasOnlyId ? id : withoutLabel;
  });
}

/** Changes the ID of each entry of this ID. Other fields of an entry stay. */
export function withId(list: readonly unknown[], id: string, newId: string): unknown[] {
  return list.map((entry) => {
    if (readEntry(entry)?.id !== id) return entry;
    return isRecord(entry) ? { ...entry, id: newId } : newId;
  });
}

/** Returns the first label that the list has for an ID; `undefined` without one. */
export function labelIn(list: readonly unknown[], id: string): string | undefined {
  return mergeEntries([list]).find((deployment) => deployment.id === id)?.label;
}
