import {
  keyOfAccount,
  keyOfRequirement,
  keyOfSubject,
  type MuteEntry,
  type MuteSubject,
} from '../entered/muteEntries.js';
import type { Deployment } from '../findings/deployment.js';
import { type Finding, groupBy, type Problem } from '../findings/findings.js';

/** The usable entries of the setting `mutes` in one scope. */
export interface MutesInScope {
  readonly entries: readonly MuteEntry[];
  /**
   * The IDs of the deployments for which the entries hold: those that the folder of the scope or
   * the workspace lists. `undefined` for the workspace itself, whose entries hold for all.
   */
  readonly deploymentIds: ReadonlySet<string> | undefined;
}

/** An entry, and the scope that has it. */
interface ScopedEntry {
  readonly entry: MuteEntry;
  readonly deploymentIds: ReadonlySet<string> | undefined;
}

/**
 * What becomes of an entry by the last good answers:
 *
 * - `mutes`: it mutes a problem.
 * - `ended`: its last day is over.
 * - `changed`: what it names has a problem, but with another error or other missing scopes.
 * - `obsolete`: what it names is there and has no problem.
 * - `ambiguous`: several requirements may have the name, so it mutes none of them.
 * - `unknown`: what it names is not there, or not known.
 */
export type EntryState = 'mutes' | 'ended' | 'changed' | 'obsolete' | 'ambiguous' | 'unknown';

/**
 * What the entries of all scopes mute for everyone. Made anew when an entry or a list of
 * deployments changes, and never changed.
 */
export class MutesForEveryone {
  /** In the order of the scopes, and of their lists. */
  readonly entries: readonly MuteEntry[];
  /** By what they name. */
  private readonly bySubject: ReadonlyMap<string, readonly ScopedEntry[]>;

  constructor(scopes: readonly MutesInScope[]) {
    const scoped = scopes.flatMap(({ entries, deploymentIds }) =>
      entries.map((entry): ScopedEntry => ({ entry, deploymentIds })),
    );
    this.entries = scoped.map(({ entry }) => entry);
    this.bySubject = groupBy(scoped, ({ entry }) => keyOfSubject(entry.subject));
  }

  /**
   * Returns the entry that mutes a problem; of several the one that ends last. `undefined` if none
   * mutes it. `now`: epoch ms.
   */
  entryFor(problem: Problem, now: number): MuteEntry | undefined {
    const muting = this.entriesThatMute(problem, now);
    if (muting.length === 0) return undefined;
    return muting.reduce((last, entry) => (entry.endsAt > last.endsAt ? entry : last));
  }

  /** Returns all entries that mute a problem. `now`: epoch ms. */
  entriesThatMute(problem: Problem, now: number): readonly MuteEntry[] {
    const entries = this.entriesThatLast(problem.finding, problem.foundIn, now);
    return entries.filter((entry) => stateIn(entry, problem.finding) === 'mutes');
  }

  /**
   * Returns whether an entry that has not ended names what has the problem, but with another error
   * or other missing scopes, and no entry mutes it. `now`: epoch ms.
   */
  hasChangedSinceMuted(problem: Problem, now: number): boolean {
    const entries = this.entriesThatLast(problem.finding, problem.foundIn, now);
    const states = new Set(entries.map((entry) => stateIn(entry, problem.finding)));
    return states.has('changed') && !states.has('mutes');
  }

  /**
   * Returns the entries that name this account or requirement of a deployment and hold there,
   * whatever they say of its problem, and whether or not they have ended.
   */
  entriesAbout(finding: Finding, deploymentId: string): readonly MuteEntry[] {
    if (this.entries.length === 0) return [];
    const key = keyOfFinding(finding, deploymentId);
    const scoped = key === undefined ? [] : (this.bySubject.get(key) ?? []);
    return scoped.filter((one) => holdsFor(one, deploymentId)).map(({ entry }) => entry);
  }

  /**
   * Returns what becomes of the entries that name this account or requirement of a deployment and
   * have not ended; `undefined` if there are none. `holders`: the listed deployments that have it.
   */
  stateOf(
    finding: Finding,
    deploymentId: string,
    holders: readonly Deployment[],
    now: number,
  ): EntryState | undefined {
    const entries = this.entriesThatLast(finding, deploymentId, now);
    if (entries.length === 0) return undefined;
    let state: EntryState = 'unknown';
    for (const holder of holders) {
      const there = readFinding(finding, holder);
      if (there === undefined) continue;
      const entriesThere = this.entriesAbout(there, holder.id);
      for (const entry of entries) {
        if (entriesThere.includes(entry)) state = strongerOf(state, stateIn(entry, there));
      }
    }
    return state;
  }

  /** Returns the epoch ms at which the next entry ends; `Infinity` if none does. */
  nextEndAfter(now: number): number {
    let next = Infinity;
    for (const { endsAt } of this.entries) if (endsAt > now) next = Math.min(next, endsAt);
    return next;
  }

  /**
   * Returns what becomes of each entry in these deployments, in the order of `entries`. A
   * deployment whose last read failed says nothing.
   */
  statesIn(deployments: readonly Deployment[], now: number): ReadonlyMap<MuteEntry, EntryState> {
    const states = new Map<MuteEntry, EntryState>(
      this.entries.map((entry) => [entry, entry.endsAt > now ? 'unknown' : 'ended']),
    );
    for (const { id, answer, failedRead } of deployments) {
      if (answer === undefined || failedRead !== undefined) continue;
      const { accountsById, requirements } = answer.findings;
      for (const finding of [...accountsById.values(), ...requirements]) {
        for (const entry of this.entriesAbout(finding, id)) {
          const before = states.get(entry) ?? 'unknown';
          states.set(entry, strongerOf(before, stateIn(entry, finding)));
        }
      }
    }
    return states;
  }

  /** Returns those of `entriesAbout` that have not ended. */
  private entriesThatLast(
    finding: Finding,
    deploymentId: string,
    now: number,
  ): readonly MuteEntry[] {
    return this.entriesAbout(finding, deploymentId).filter(({ endsAt }) => endsAt > now);
  }
}

/** In several deployments an entry has the first of these states that it has in any. */
const strongestFirst: readonly EntryState[] = [
  'ended',
  'mutes',
  'changed',
  'ambiguous',
  'obsolete',
  'unknown',
];

function strongerOf(a: EntryState, b: EntryState): EntryState {
  return strongestFirst.indexOf(a) <= strongestFirst.indexOf(b) ? a : b;
}

/**
 * Returns what the answer of a deployment says of the same account, or of a requirement of its own;
 * `undefined` if its last read failed.
 */
function readFinding(finding: Finding, { answer, failedRead }: Deployment): Finding | undefined {
  if (answer === undefined || failedRead !== undefined) return undefined;
  if ('requirement' in finding) return finding;
  return answer.findings.accountsById.get(finding.account.id ?? '');
}

function holdsFor({ deploymentIds }: ScopedEntry, deploymentId: string): boolean {
  return deploymentIds === undefined || deploymentIds.has(deploymentId);
}

/** Returns `undefined` for what no entry can name: an account without an ID, a nameless requirement. */
function keyOfFinding(finding: Finding, deploymentId: string): string | undefined {
  if ('account' in finding) {
    const { id } = finding.account;
    return id ? keyOfAccount(id) : undefined;
  }
  const { binding } = finding.requirement;
  return binding === undefined ? undefined : keyOfRequirement(deploymentId, binding);
}

/**
 * Returns what an entry has to name to mute this problem. Returns `undefined` if no entry can mute
 * it: the account has no ID, the requirement has no name of its own, or a part of the sign could
 * not be read.
 */
export function muteSubjectOf({ finding, foundIn, sign }: Problem): MuteSubject | undefined {
  if (sign === undefined) return undefined;
  if ('account' in finding) {
    const { id = '' } = finding.account;
    return id.trim() === '' ? undefined : { kind: 'account', account: id, error: sign };
  }
  const { requirement, missingScopes, hasUniqueBinding } = finding;
  if (!hasUniqueBinding) return undefined;
  return {
    kind: 'requirement',
    deployment: foundIn,
    requirement: requirement.binding ?? '',
    missing: missingScopes,
  };
}

/** Returns the state of an entry that has not ended, by the finding that it names. */
function stateIn({ subject }: MuteEntry, finding: Finding): EntryState {
  if ('requirement' in finding && !finding.hasUniqueBinding) return 'ambiguous';
  const { problem, state } = finding;
  if (problem === undefined) {
    const hasNoProblem = state === 'works' || state === 'satisfied';
    return hasNoProblem ? 'obsolete' : 'unknown';
  }
  // Nothing is muted by a part that could not be read.
  if (problem.sign === undefined) return 'unknown';
  return hasSameSign(subject, problem) ? 'mutes' : 'changed';
}

/** Whether an entry names the error, or the missing scopes, that the problem has. */
function hasSameSign(subject: MuteSubject, problem: Problem): boolean {
  if (subject.kind === 'account') return subject.error === problem.sign;
  if (problem.kind !== 'unsatisfiedRequirement') return false;
  const named = new Set(subject.missing);
  const missing = new Set(problem.finding.missingScopes);
  return named.size === missing.size && [...named].every((scope) => missing.has(scope));
}
