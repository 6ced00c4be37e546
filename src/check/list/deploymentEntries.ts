import { setImmediate } from 'node:timers/promises';
import { isRecord } from '../../api/decode.js';
import { maxGroupChars, readEntry, unusableFields } from '../../model/entered/listEntries.js';
import { type ListedDeployment, listedDeployment } from '../../model/findings/deployment.js';
import type { PlacedValue, ReadSetting } from './fileSettings.js';
import type { EntryPosition, PlacedText } from './position.js';

/** How many values of a file are read before timers and signals have their turn. */
const valuesPerTurn = 1000;

type Redact = (text: string) => string;

/** A usable entry. Neither its label nor its group has a token. */
interface DeploymentEntry {
  readonly deployment: ListedDeployment;
  readonly position: EntryPosition;
  readonly unusable: readonly UnusableField[];
}

/** A label or a group that counts as none. */
export interface UnusableField {
  readonly field: 'label' | 'group';
  /** "The group of this entry contains the token" */
  readonly reason: string;
}

/** Reads the entries of a file that lists deployments. */
export async function readDeployments(
  entries: Iterable<PlacedValue>,
  redact: Redact,
): Promise<ReadSetting<readonly DeploymentEntry[]>> {
  const usable: DeploymentEntry[] = [];
  const malformed: PlacedText[] = [];
  for await (const { value, position } of inTurns(entries)) {
    const deployment = readDeployment(value, redact);
    if (typeof deployment === 'string') malformed.push({ position, text: deployment });
    else usable.push({ deployment, position, unusable: unusableFieldsOf(value, redact) });
  }
  return { usable, malformed };
}

/** Returns the deployment of an entry, or why the entry cannot be used. */
export function readDeployment(value: unknown, redact: Redact): ListedDeployment | string {
  const enteredId = isRecord(value) ? value['id'] : value;
  if (typeof enteredId === 'string' && /\p{Cc}/u.test(enteredId))
    return 'This contains a control character, so it is not sent as an ID.';
  const entry = readEntry(value);
  if (!entry) return 'This is neither an ID nor { "id": "..." }.';
  const { id, label, group } = entry;
  if (redact(id) !== id) return 'This contains the token, so it is not sent as an ID.';
  if (id.includes('\uFFFD'))
    return 'This contains bytes that are not UTF-8, so it is not sent as an ID.';
  const isGroupUsable = group !== undefined && groupProblem(group, redact) === undefined;
  const usableLabel = label === undefined ? undefined : redact(label);
  return listedDeployment(id, usableLabel, isGroupUsable ? group : undefined);
}

/** Returns why the well-formed name of a group counts as none; `undefined` if it counts. */
function groupProblem(group: string, redact: Redact): string | undefined {
  if (redact(group) !== group) return 'contains the token';
  return group.includes('\uFFFD') ? 'contains bytes that are not UTF-8' : undefined;
}

const reasons = {
  label: 'The label of this entry is not a text',
  group: `The group of this entry is not a name of 1 to ${maxGroupChars} characters`,
} as const;

/** Returns the fields of an entry with a usable ID that are left out. */
function unusableFieldsOf(value: unknown, redact: Redact): readonly UnusableField[] {
  const unusable = unusableFields(value).map((field) => ({ field, reason: reasons[field] }));
  const { group = '' } = readEntry(value) ?? {};
  const problem = groupProblem(group, redact);
  if (problem === undefined) return unusable;
  return [...unusable, { field: 'group', reason: `The group of this entry ${problem}` }];
}

/** Yields the values, and lets timers and signals have their turn in between. */
export async function* inTurns<T>(values: Iterable<T>): AsyncIterable<T> {
  let count = 0;
  for (const value of values) {
    yield value;
    count += 1;
    if (count % valuesPerTurn === 0) await setImmediate();
  }
}
