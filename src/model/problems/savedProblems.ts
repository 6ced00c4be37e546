import { isRecord } from '../../api/decode.js';
import { day } from '../base/time.js';
import { hashChars } from './hashes.js';

/** How long a problem is muted at most, by “Until It Changes”. */
export const maxMuteMs = 90 * day;
/** How long any other choice mutes a problem at most. */
export const maxTimedMuteMs = 7 * day;

/** What is remembered of one problem. */
export interface RememberedProblem {
  /** Epoch ms at which it was first seen. */
  readonly since: number;
  /** The hash of its sign; empty if that could not be read so far. */
  readonly sign: string;
  /** Epoch ms. */
  readonly mutedUntil?: number | undefined;
  /** Whether the user chose “Until It Changes”. Of no meaning without `mutedUntil`. */
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
  /** The hashes of the deployments whose last good answers name what it is about. */
  readonly holders: readonly string[];
}

/** What is remembered of one organization. */
export interface RememberedProblems {
  /** By the hash of a problem's key. */
  readonly problems: Map<string, RememberedProblem>;
  /**
   * Epoch ms at which the deployments that hold a problem left the list, by the hash of their ID.
   */
  readonly left: Map<string, number>;
}

export const savedProblemsKey = 'problemMemory';
/** What earlier versions saved. Of `problems` the entries are taken over. */
export const formerKeys = ['problems', 'seenSince', 'mutes'] as const;

/**
 * Returns by the hashes of organizations what `state` remembers. Others can write to the file that
 * it comes from: what is damaged is left out, and no time is later than one that could have been
 * saved.
 */
export function savedProblems(
  state: { get(key: string): unknown },
  now: number,
): Map<string, RememberedProblems> {
  const saved = state.get(savedProblemsKey);
  if (saved !== undefined)
    return new Map(pairsIn(saved).map(([name, value]) => [name, problemsIn(value, now)]));
  const former = pairsIn(state.get('problems'));
  return new Map(former.map(([name, value]) => [name, formerProblemsIn(value, now)]));
}

/** `undefined`: there is nothing to save. */
export function toSave(organizations: ReadonlyMap<string, RememberedProblems>): object | undefined {
  if (organizations.size === 0) return undefined;
  const entries = Array.from(organizations, ([organization, { problems, left }]) => {
    const saved = Array.from(problems, ([key, problem]) => [key, fieldsOf(problem)]);
    return [organization, { problems: Object.fromEntries(saved), left: Object.fromEntries(left) }];
  });
  return Object.fromEntries(entries);
}

/**
 * The last fields are left out where they say nothing. A mute says whether it is one until a
 * change.
 */
function fieldsOf({
  since,
  sign,
  mutedUntil,
  isMutedUntilChange,
  holders,
  notifiedSign,
}: RememberedProblem) {
  const fields = [since, sign, mutedUntil ?? null, holders];
  if (mutedUntil !== undefined)
    return [...fields, notifiedSign ?? null, isMutedUntilChange === true];
  return notifiedSign === undefined ? fields : [...fields, notifiedSign];
}

function problemsIn(saved: unknown, now: number): RememberedProblems {
  const { problems, left }: Partial<Record<string, unknown>> = isRecord(saved) ? saved : {};
  const remembered: RememberedProblems = { problems: new Map(), left: new Map() };
  for (const [key, value] of pairsIn(problems)) {
    const problem = problemIn(value, now);
    if (problem) remembered.problems.set(key, problem);
  }
  for (const [deployment, at] of pairsIn(left)) {
    if (isTime(at)) remembered.left.set(deployment, Math.min(at, now));
  }
  return remembered;
}

/**
 * Each entry was named by the hash of a deployment, or for a shared account of none, and by that of
 * its key.
 */
function formerProblemsIn(saved: unknown, now: number): RememberedProblems {
  const { deployment, key } = hashChars;
  const problems = new Map<string, RememberedProblem>();
  for (const [name, value] of pairsIn(saved)) {
    const holder = name.slice(0, deployment);
    const problem = Array.isArray(value)
      ? problemIn([value[0], value[1], value[2], [holder]], now)
      : undefined;
    if (problem) problems.set(name.slice(deployment, deployment + key), problem);
  }
  return { problems, left: new Map() };
}

function problemIn(value: unknown, now: number): RememberedProblem | undefined {
  if (!Array.isArray(value)) return undefined;
  const [since, sign, mutedUntil, holders, notifiedSign, isMutedUntilChange]: readonly unknown[] =
    value;
  if (!isTime(since) || typeof sign !== 'string' || !Array.isArray(holders)) return undefined;
  return {
    since,
    sign,
    ...(typeof mutedUntil === 'number' && {
      mutedUntil: Math.min(mutedUntil, now + maxMuteMs),
      // Earlier versions saved no more than the time, and only “Until It Changes” mutes for so
      // long.
      isMutedUntilChange:
        typeof isMutedUntilChange === 'boolean'
          ? isMutedUntilChange
          : mutedUntil > now + maxTimedMuteMs,
    }),
    holders: holders.filter((holder) => typeof holder === 'string'),
    ...(typeof notifiedSign === 'string' && { notifiedSign }),
  };
}

/** Epoch ms that a `Date` can have. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function pairsIn(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}
