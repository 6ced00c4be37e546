import { isRecord } from '../../api/decode.js';
import { day } from '../base/time.js';
import { hashChars } from './hashes.js';

/** The end of a mute “Until It Changes”, if the problem does not change sooner. */
export const maxMuteMs = 90 * day;
/** The longest mute with an end that the user chooses: “For a Week”. */
export const maxTimedMuteMs = 7 * day;

/** What is remembered of one problem. */
export interface RememberedProblem {
  /** Epoch ms at which the problem was first seen. */
  readonly since: number;
  /** The hash of the problem's sign; '' if the sign could not be read so far. */
  readonly sign: string;
  /**
   * Epoch ms at which the mute ends, which may be in the past; absent if the problem is not muted.
   */
  readonly mutedUntil?: number | undefined;
  /** Whether the user chose “Until It Changes”. Has no meaning without `mutedUntil`. */
  readonly isMutedUntilChange?: boolean | undefined;
  /**
   * The hash of the sign that the user saw when muting it: an answer of a refresh that still runs
   * may have had another one than `sign`. Not saved.
   */
  readonly mutedSign?: string;
  /**
   * The hash of the sign that the user saw when asking to be notified of the fix. Absent if no
   * notification is wanted.
   */
  readonly notifiedSign?: string | undefined;
  /**
   * The hashes of the deployments whose last good answers have, or may have, the problem's account
   * or requirement, and of those that left the list with it not long ago.
   */
  readonly holders: readonly string[];
}

/** What is remembered of one organization. */
export interface RememberedProblems {
  /** By the hash of the problem's key. */
  readonly problems: Map<string, RememberedProblem>;
  /**
   * By the hash of the ID of a holder that is not listed any more: the epoch ms at which it left
   * the list.
   */
  readonly left: Map<string, number>;
}

export const savedProblemsKey = 'problemMemory';
/** The keys under which earlier versions saved. Only the entries of `problems` are taken over. */
export const formerKeys = ['problems', 'seenSince', 'mutes'] as const;

/**
 * Returns what `state` has saved, by the hashes of organizations. Other programs can write to the
 * file that VS Code keeps it in, so damaged entries are left out, and the end of a mute or the time
 * of leaving the list is made earlier if it is too late to be ours. `now`: epoch ms.
 */
export function savedProblems(
  state: { get(key: string): unknown },
  now: number,
): Map<string, RememberedProblems> {
  const saved = state.get(savedProblemsKey);
  if (saved !== undefined)
    return new Map(entriesOf(saved).map(([hash, value]) => [hash, problemsIn(value, now)]));
  const former = entriesOf(state.get('problems'));
  return new Map(former.map(([hash, value]) => [hash, formerProblemsIn(value, now)]));
}

/** Returns the JSON value that `savedProblems` reads; `undefined` if there is nothing to save. */
export function toSave(organizations: ReadonlyMap<string, RememberedProblems>): object | undefined {
  if (organizations.size === 0) return undefined;
  const entries = Array.from(organizations, ([organization, { problems, left }]) => {
    const saved = Array.from(problems, ([key, problem]) => [key, fieldsOf(problem)]);
    return [organization, { problems: Object.fromEntries(saved), left: Object.fromEntries(left) }];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the fields in the order in which `problemIn` reads them. The last ones are left out if
 * they say nothing, as for most problems.
 */
function fieldsOf(problem: RememberedProblem): readonly unknown[] {
  const { since, sign, mutedUntil, isMutedUntilChange, holders, notifiedSign } = problem;
  const fields = [since, sign, mutedUntil ?? null, holders];
  if (mutedUntil !== undefined)
    return [...fields, notifiedSign ?? null, isMutedUntilChange === true];
  return notifiedSign === undefined ? fields : [...fields, notifiedSign];
}

function problemsIn(saved: unknown, now: number): RememberedProblems {
  const remembered: RememberedProblems = { problems: new Map(), left: new Map() };
  if (!isRecord(saved)) return remembered;
  for (const [key, value] of entriesOf(saved['problems'])) {
    const problem = problemIn(value, now);
    if (problem) remembered.problems.set(key, problem);
  }
  for (const [deployment, leftAt] of entriesOf(saved['left'])) {
    if (isTime(leftAt)) remembered.left.set(deployment, Math.min(leftAt, now));
  }
  return remembered;
}

/**
 * Reads what earlier versions saved. They named an entry by two hashes in a row: that of the
 * deployment (or of no deployment, for an account that several share), and that of the problem's
 * key.
 */
function formerProblemsIn(saved: unknown, now: number): RememberedProblems {
  const problems = new Map<string, RememberedProblem>();
  for (const [name, value] of entriesOf(saved)) {
    if (!Array.isArray(value)) continue;
    const holder = name.slice(0, hashChars.deployment);
    const key = name.slice(hashChars.deployment, hashChars.deployment + hashChars.key);
    const problem = problemIn([value[0], value[1], value[2], [holder]], now);
    if (problem) problems.set(key, problem);
  }
  return { problems, left: new Map() };
}

/** `undefined` if the value is damaged. */
function problemIn(value: unknown, now: number): RememberedProblem | undefined {
  if (!Array.isArray(value)) return undefined;
  const fields: readonly unknown[] = value;
  const [since, sign, mutedUntil, holders, notifiedSign, isMutedUntilChange] = fields;
  if (!isTime(since) || typeof sign !== 'string' || !Array.isArray(holders)) return undefined;
  const problem = {
    since,
    sign,
    holders: holders.filter((holder) => typeof holder === 'string'),
    ...(typeof notifiedSign === 'string' && { notifiedSign }),
  };
  if (typeof mutedUntil !== 'number') return problem;

  // Earlier versions saved only the time, and only “Until It Changes” mutes for so long.
  const isLongMute = mutedUntil > now + maxTimedMuteMs;
  return {
    ...problem,
    mutedUntil: Math.min(mutedUntil, now + maxMuteMs),
    isMutedUntilChange: typeof isMutedUntilChange === 'boolean' ? isMutedUntilChange : isLongMute,
  };
}

/** Returns whether the value is an epoch ms that a `Date` can have. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

/** Returns no entries for a value that is no object. */
function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
