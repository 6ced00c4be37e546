import type { Account } from '../../api/authorization.js';
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
  /** By the key of an account or a requirement: for each scope, the entries that name it. */
  private readonly bySubject: ReadonlyMap<string, readonly EntriesOfSubject[]>;

  constructor(scopes: readonly MutesInScope[]) {
    this.entries = scopes.flatMap(({ entries }) => entries);
    const ofSubjects = scopes.flatMap(({ entries, deploymentIds }) => {
      const bySubject = groupBy(entries, ({ subject }) => keyOfSubject(subject));
      return Array.from(bySubject, ([key, some]) => new EntriesOfSubject(key, some, deploymentIds));
    });
    this.bySubject = groupBy(ofSubjects, ({ key }) => key);
  }

  /**
   * Returns the entry that mutes a problem; of several the one that ends last. `undefined` if none
   * mutes it. `now`: epoch ms.
   */
  entryFor(problem: Problem, now: number): MuteEntry | undefined {
    const inScopes = this.inScopes(problem.finding, problem.foundIn);
    if (inScopes.length === 0) return undefined;
    const sign = signOfProblem(problem);
    if (sign === undefined) return undefined;
    const muting = inScopes
      .flatMap((ofSubject) => ofSubject.lastWith(sign) ?? [])
      .filter(({ endsAt }) => endsAt > now);
    if (muting.length === 0) return undefined;
    return muting.reduce((last, entry) => (entry.endsAt > last.endsAt ? entry : last));
  }

  /** Returns all entries that mute a problem. `now`: epoch ms. */
  entriesThatMute(problem: Problem, now: number): readonly MuteEntry[] {
    const sign = signOfProblem(problem);
    const entries = this.entriesAbout(problem.finding, problem.foundIn);
    return entries.filter(({ subject, endsAt }) => endsAt > now && signOf(subject) === sign);
  }

  /**
   * Returns whether an entry that has not ended names what has the problem, but with another error
   * or other missing scopes, and no entry mutes it. `now`: epoch ms.
   */
  hasChangedSinceMuted(problem: Problem, now: number): boolean {
    const inScopes = this.inScopes(problem.finding, problem.foundIn);
    const isNamed = inScopes.some(({ endsAt }) => endsAt > now);
    if (!isNamed || signOfProblem(problem) === undefined) return false;
    return this.entryFor(problem, now) === undefined;
  }

  /**
   * Returns the entries that name this account or requirement of a deployment and hold there,
   * whatever they say of its problem, and whether or not they have ended.
   */
  entriesAbout(finding: Finding, deploymentId: string): readonly MuteEntry[] {
    return this.inScopes(finding, deploymentId).flatMap(({ entries }) => entries);
  }

  /** Whether any entry names this account, in whichever deployments it holds. */
  namesAccount({ id }: Account): boolean {
    return Boolean(id) && this.bySubject.has(keyOfAccount(id ?? ''));
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
    const states = new Set<EntryState>();
    for (const ofSubject of this.inScopes(finding, deploymentId)) {
      const evidence = new Evidence();
      for (const holder of holders) {
        const there = ofSubject.holdsFor(holder.id) ? readFinding(finding, holder) : undefined;
        if (there) evidence.add(there);
      }
      for (const entry of ofSubject.entries) states.add(evidence.stateOf(entry, now));
    }
    return strongestFirst.find((state) => states.has(state));
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
    const evidences = new Map<EntriesOfSubject, Evidence>();
    for (const { id, answer, failedRead } of deployments) {
      if (answer === undefined || failedRead !== undefined) continue;
      const { accountsById, requirements } = answer.findings;
      for (const finding of [...accountsById.values(), ...requirements]) {
        for (const ofSubject of this.inScopes(finding, id)) {
          const evidence = evidences.get(ofSubject) ?? new Evidence();
          evidence.add(finding);
          evidences.set(ofSubject, evidence);
        }
      }
    }

    const states = new Map<MuteEntry, EntryState>(this.entries.map((entry) => [entry, 'unknown']));
    for (const ofSubject of Array.from(this.bySubject.values()).flat()) {
      const evidence = evidences.get(ofSubject) ?? new Evidence();
      for (const entry of ofSubject.entries) states.set(entry, evidence.stateOf(entry, now));
    }
    return states;
  }

  /** Returns for each scope the entries that `entriesAbout` returns. */
  private inScopes(finding: Finding, deploymentId: string): readonly EntriesOfSubject[] {
    if (this.entries.length === 0) return [];
    const key = keyOfFinding(finding, deploymentId);
    const inScopes = key === undefined ? [] : (this.bySubject.get(key) ?? []);
    return inScopes.filter((ofSubject) => ofSubject.holdsFor(deploymentId));
  }
}

/**
 * The entries of one scope that name the same account or requirement. There can be thousands, and
 * the account can be in thousands of deployments, so each finds its entry by the sign.
 */
class EntriesOfSubject {
  /** Epoch ms at which the last of them ends. */
  readonly endsAt: number;
  /** By the sign that they name: the entry that ends last. */
  private readonly lastBySign = new Map<string, MuteEntry>();

  constructor(
    /** The key of the account or requirement. */
    readonly key: string,
    readonly entries: readonly MuteEntry[],
    private readonly deploymentIds: ReadonlySet<string> | undefined,
  ) {
    let endsAt = -Infinity;
    for (const entry of entries) {
      endsAt = Math.max(endsAt, entry.endsAt);
      const sign = signOf(entry.subject);
      const before = this.lastBySign.get(sign);
      if (before === undefined || entry.endsAt > before.endsAt) this.lastBySign.set(sign, entry);
    }
    this.endsAt = endsAt;
  }

  holdsFor(deploymentId: string): boolean {
    return this.deploymentIds === undefined || this.deploymentIds.has(deploymentId);
  }

  /** Returns the entry with this sign that ends last. */
  lastWith(sign: string): MuteEntry | undefined {
    return this.lastBySign.get(sign);
  }
}

/** In several deployments, and of several entries, the first of these states counts. */
const strongestFirst: readonly EntryState[] = [
  'mutes',
  'changed',
  'ambiguous',
  'obsolete',
  'unknown',
];

/** What answers say of one account or requirement that entries name. */
class Evidence {
  /** The signs of its problems. */
  private readonly signs = new Set<string>();
  private isAmbiguous = false;
  private hasNoProblem = false;

  /** Adds what one answer says. */
  add(finding: Finding): void {
    const { problem, state } = finding;
    if ('requirement' in finding && !finding.hasUniqueBinding) this.isAmbiguous = true;
    else if (problem) {
      const sign = signOfProblem(problem);
      if (sign !== undefined) this.signs.add(sign);
    } else if (state === 'works' || state === 'satisfied') this.hasNoProblem = true;
  }

  stateOf({ endsAt, subject }: MuteEntry, now: number): EntryState {
    if (endsAt <= now) return 'ended';
    if (this.signs.has(signOf(subject))) return 'mutes';
    if (this.signs.size > 0) return 'changed';
    if (this.isAmbiguous) return 'ambiguous';
    return this.hasNoProblem ? 'obsolete' : 'unknown';
  }
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

/**
 * Returns `undefined` for what no entry can name: an account without an ID, a nameless requirement.
 */
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

/** Returns the sign that an entry has to name to mute this problem; `undefined` if none can. */
function signOfProblem(problem: Problem): string | undefined {
  const subject = muteSubjectOf(problem);
  return subject && signOf(subject);
}

/** Returns a text that is equal for the same error, or for the same missing scopes in any order. */
function signOf(subject: MuteSubject): string {
  if (subject.kind === 'account') return subject.error;
  return JSON.stringify([...new Set(subject.missing)].toSorted());
}
