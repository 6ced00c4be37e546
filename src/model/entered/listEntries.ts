import { isRecord } from '../../api/decode.js';
import { type ListedDeployment, listedDeployment } from '../findings/deployment.js';
import { idProblem } from './enteredIds.js';
import { shortTextProblem } from './shortTexts.js';

/** Of the name of a group, in code points. */
export const maxGroupChars = 60;

/** Returns why a text cannot be the name of a group; `undefined` if it can. */
export function groupProblem(text: string): 'empty' | 'tooLong' | undefined {
  return shortTextProblem(text, maxGroupChars);
}

function isUsableId(id: string): boolean {
  return /\S/.test(id) && idProblem(id, () => false) === undefined;
}

/**
 * Reads an entry of the setting `deployments`: an ID, or an object with `id` and perhaps `label`
 * and `group`. Returns `undefined` if the entry is malformed, which only an unusable ID makes it. A
 * label or a group that is unusable, and a blank label, are left out.
 */
export function readEntry(entry: unknown): ListedDeployment | undefined {
  if (typeof entry === 'string') return isUsableId(entry) ? { id: entry } : undefined;
  if (!isRecord(entry)) return undefined;
  const { id, label, group } = entry;
  if (typeof id !== 'string' || !isUsableId(id)) return undefined;
  const usableLabel = typeof label === 'string' ? label.trim() || undefined : undefined;
  return listedDeployment(id, usableLabel, isGroup(group) ? group : undefined);
}

function isGroup(group: unknown): group is string {
  return typeof group === 'string' && groupProblem(group) === undefined;
}

/** Returns which fields of a well-formed entry count as none, because they are unusable. */
export function unusableFields(entry: unknown): readonly ('label' | 'group')[] {
  if (!isRecord(entry) || readEntry(entry) === undefined) return [];
  const { label, group } = entry;
  const fields: ('label' | 'group')[] = [];
  if (label !== undefined && typeof label !== 'string') fields.push('label');
  if (group !== undefined && !isGroup(group)) fields.push('group');
  return fields;
}

/**
 * Merges the lists of all scopes into one, which has each ID once, with the first label and the
 * first group found, each for itself. `values`: the value of each scope, in the order in which
 * their labels and groups count. `isUsableGroup`: whether a well-formed group counts.
 */
export function mergeEntries(
  values: readonly unknown[],
  isUsableGroup: (group: string) => boolean = () => true,
): ListedDeployment[] {
  const merged = new Map<string, ListedDeployment>();
  for (const value of values) {
    for (const entry of entriesIn(value)) {
      const deployment = readEntry(entry);
      if (!deployment) continue;
      const { id, label, group } = deployment;
      const usableGroup = group !== undefined && isUsableGroup(group) ? group : undefined;
      const earlier = merged.get(id);
      const mergedLabel = earlier?.label ?? label;
      const mergedGroup = earlier?.group ?? usableGroup;
      merged.set(id, listedDeployment(id, mergedLabel, mergedGroup));
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
  return withField(list, 'label', new Map([[id, label]]));
}

/**
 * Gives each entry of these IDs the group that belongs to its ID, or takes its group off if that is
 * `undefined`. Other fields of an entry stay.
 */
export function withGroups(
  list: readonly unknown[],
  groups: ReadonlyMap<string, string | undefined>,
): unknown[] {
  return withField(list, 'group', groups);
}

function withField(
  list: readonly unknown[],
  field: 'label' | 'group',
  values: ReadonlyMap<string, string | undefined>,
): unknown[] {
  return list.map((entry) => {
    const id = idOf(entry);
    if (id === undefined || !values.has(id)) return entry;
    const { [field]: _, ...others } = isRecord(entry) ? entry : { id };
    const value = values.get(id);
    if (value) return { ...others, [field]: value };
    const hasOnlyId = Object.keys(others).length === 1;
    return hasOnlyId ? id : others;
  });
}

/** Returns the entry of the setting for a deployment: its ID alone if there is no more to say. */
export function entryOf({ id, label, group }: ListedDeployment): unknown {
  const hasOnlyId = !label && group === undefined;
  return hasOnlyId ? id : listedDeployment(id, label || undefined, group);
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

/** Returns the first group that the list has for each of its IDs that has one. */
export function groupsIn(list: readonly unknown[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const { id, group } of mergeEntries([list])) {
    if (group !== undefined) groups.set(id, group);
  }
  return groups;
}
