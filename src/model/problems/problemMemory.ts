import { hash as digest } from 'node:crypto';
import { isRecord } from '../../api/decode.js';
import { whenOver } from '../../api/timers.js';
import type { Deployment, DeploymentProblem } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import type { Clock } from '../time.js';
import { type AccountReading, isNewer, readingsOf } from './accountReadings.js';
import type { Identity, Problem } from './findings.js';
import type { Remembered } from './mutes.js';

/** What is remembered of one problem. */
interface Entry {
  /** Epoch ms at which it was first seen. */
  readonly since: number;
  /** The hash of its sign. */
  readonly sign: string;
  /** Epoch ms. */
  readonly mutedUntil?: number | undefined;
  /** The hash of the sign with which it was muted, which may be newer than `sign` in a refresh. Not saved. */
  readonly mutedSign?: string;
  /** The hashes of the deployments whose last good answers name what it is about. */
  readonly holders: readonly string[];
}

/** What is remembered of one organization. */
interface Memory {
  /** By the hash of a problem's key. */
  readonly problems: Map<string, Entry>;
  /** Epoch ms at which the deployments that hold a problem left the list, by the hash of their ID. */
  readonly left: Map<string, number>;
}

interface ProblemMemoryOptions extends Clock {
  /** VS Code's state of the workspace, which is never synced. */
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  readonly log: { warn(line: string): void };
}

const memoryKey = 'problemMemory';
/** What earlier versions remembered. Of `problems` the entries are taken over, each named by two hashes. */
const formerKeys = ['problems', 'seenSince', 'mutes'] as const;

export const dayMs = 24 * 60 * 60_000;
export const maxMuteMs = 90 * dayMs;
/** A deployment that left the list may come back: another branch has another list. */
const maxLeftMs = 30 * dayMs;

const hashChars = { organization: 6, deployment: 8, key: 8, sign: 6 } as const;
const maxHashChars = 8;
/** A hash takes a microsecond, and a refresh asks for the same ones as the one before. */
const maxHashes = 200_000;

/**
 * Remembers since when each problem has been seen, its sign, and until when it is muted. The store says
 * whose problems are asked for, and at the end of each refresh what was read. Saves hashes, which keep IDs
 * out of the file and protect no secret.
 */
export class ProblemMemory implements Remembered, Disposable {
  private readonly mutesChanged = new Emitter<void>();
  readonly onDidChangeMutes = this.mutesChanged.event;
  /** The organization whose problems are asked for. */
  private organizationId = '';
  /** By the hash of the organization's ID. */
  private readonly organizations = new Map<string, Memory>();
  /**
   * By the hash of an organization of which nothing was remembered: the deployments that this window has
   * read. What is found in others is not new.
   */
  private readonly firstReadings = new Map<string, Set<string>>();
  private readonly hashes = new Map<string, string>();
  private timer: Disposable | undefined;

  constructor(private readonly options: ProblemMemoryOptions) {
    const { state, now } = options;
    const saved = state.get(memoryKey);
    const former = state.get('problems');
    // Others can write to the file that this comes from.
    for (const [organization, value] of pairsIn(saved ?? former)) {
      const memory = saved === undefined ? formerMemoryIn(value, now()) : memoryIn(value, now());
      this.organizations.set(organization, memory);
    }
    for (const key of formerKeys) if (state.get(key) !== undefined) this.update(key, undefined);
    if (saved === undefined && former !== undefined) this.save();
    this.expire();
  }

  setOrganization(organizationId: string | undefined): void {
    this.organizationId = organizationId ?? '';
  }

  /** Lasts until the end of the refresh that finds the problem changed. */
  mutedUntil(problem: Identity): number | undefined {
    const { mutedUntil } = this.entryOf(problem) ?? {};
    return mutedUntil !== undefined && mutedUntil > this.options.now() ? mutedUntil : undefined;
  }

  /** Epoch ms; `undefined` of a problem that no refresh has ended with, or that had another sign then. */
  seenSince(problem: Identity): number | undefined {
    const entry = this.entryOf(problem);
    return entry?.sign === this.hash(problem.sign, hashChars.sign) ? entry.since : undefined;
  }

  mute(found: readonly DeploymentProblem[], until: number): void {
    const { problems } = this.memory ?? this.begin();
    for (const one of found) {
      const key = this.keyHash(one.problem);
      const entry = problems.get(key) ?? this.newEntry(one, [this.deploymentHash(one.deployment.id)]);
      const mutedSign = this.hash(one.problem.sign, hashChars.sign);
      problems.set(key, { ...entry, mutedUntil: until, mutedSign });
    }
    this.saveMutes();
  }

  unmute(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const entry = this.entryOf(problem);
      if (entry) this.memory?.problems.set(this.keyHash(problem), { ...entry, mutedUntil: undefined });
    }
    this.saveMutes();
  }

  /**
   * At the end of a refresh: remembers what the newest good answers show, and forgets what they show gone or
   * changed. What could not be read ends nothing. Returns the problems that are new.
   */
  settle(listed: readonly Deployment[]): readonly DeploymentProblem[] {
    this.expire();
    const read = listed.filter(({ answer }) => answer);
    if (read.length === 0) return [];
    const isFirst = this.memory === undefined;
    const memory = this.memory ?? this.begin();
    const firstRead = this.firstReadings.get(this.organizationHash);
    const hasLeft = this.noteList(memory, listed);
    const isStillHeld = this.stillHolds(memory, read);
    const changed = new Map<string, Entry>();
    const gone = new Set(memory.problems.keys());
    const found: DeploymentProblem[] = [];
    const { current, sound } = this.shownIn(read);
    for (const { deployment, problem, holders } of current.values()) {
      const key = this.keyHash(problem);
      const entry = memory.problems.get(key);
      const kept = entry?.holders.filter((holder) => isStillHeld(holder)) ?? [];
      const all = [...new Set([...holders, ...kept])];
      gone.delete(key);
      const sign = this.hash(problem.sign, hashChars.sign);
      if (entry !== undefined && entry.sign !== sign && entry.mutedSign === sign) {
        changed.set(key, { ...this.newEntry({ deployment, problem }, all), mutedUntil: entry.mutedUntil });
      } else if (entry?.sign !== sign) {
        changed.set(key, this.newEntry({ deployment, problem }, all));
        if (!firstRead || firstRead.has(deployment.id)) found.push({ deployment, problem });
      } else if (!isSameList(entry.holders, all)) {
        changed.set(key, { ...entry, holders: all });
      }
    }
    for (const key of gone) {
      const { holders } = memory.problems.get(key)!;
      if (!sound.has(key) && holders.some(isStillHeld)) gone.delete(key);
    }
    const isMuted = (key: string): boolean => memory.problems.get(key)?.mutedUntil !== undefined;
    const hasUnmuted =
      [...gone].some(isMuted) || Array.from(changed).some(([key, { mutedUntil }]) => isMuted(key) && !mutedUntil);
    for (const key of gone) memory.problems.delete(key);
    for (const [key, entry] of changed) memory.problems.set(key, entry);
    for (const { id } of read) firstRead?.add(id);
    if (isFirst || hasLeft || changed.size > 0 || gone.size > 0) this.save();
    if (hasUnmuted) this.mutesChanged.fire();
    return found;
  }

  /** Forgets all other organizations. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => this.hash(id, hashChars.organization)));
    const gone = [...this.organizations.keys()].filter((organization) => !kept.has(organization));
    if (gone.length === 0) return;
    for (const organization of gone) {
      this.organizations.delete(organization);
      this.firstReadings.delete(organization);
    }
    this.saveMutes();
  }

  dispose(): void {
    this.timer?.dispose();
    this.mutesChanged.dispose();
  }

  private get organizationHash(): string {
    return this.hash(this.organizationId, hashChars.organization);
  }

  private get memory(): Memory | undefined {
    return this.organizations.get(this.organizationHash);
  }

  private begin(): Memory {
    const memory: Memory = { problems: new Map(), left: new Map() };
    this.organizations.set(this.organizationHash, memory);
    this.firstReadings.set(this.organizationHash, new Set());
    return memory;
  }

  private entryOf(problem: Identity): Entry | undefined {
    return this.memory?.problems.get(this.keyHash(problem));
  }

  private newEntry({ deployment, problem }: DeploymentProblem, holders: readonly string[]): Entry {
    const since = this.seenSince(problem) ?? deployment.answer?.sentAt ?? this.options.now();
    return { since, sign: this.hash(problem.sign, hashChars.sign), holders };
  }

  private keyHash({ key }: Pick<Identity, 'key'>): string {
    return this.hash(`${this.organizationId}\0${key}`, hashChars.key);
  }

  private deploymentHash(id: string): string {
    return this.hash(`${this.organizationId}\0${id}`, hashChars.deployment);
  }

  private hash(text: string, chars: number): string {
    let known = this.hashes.get(text);
    if (known === undefined) {
      if (this.hashes.size >= maxHashes) this.hashes.clear();
      known = digest('sha256', text, 'base64url').slice(0, maxHashChars);
      this.hashes.set(text, known);
    }
    return known.slice(0, chars);
  }

  /** Notes when deployments that hold a problem left the list. Returns whether one did, or came back. */
  private noteList({ problems, left }: Memory, listed: readonly Deployment[]): boolean {
    const now = this.options.now();
    const inList = new Set(listed.map(({ id }) => this.deploymentHash(id)));
    const holders = new Set(Array.from(problems.values(), (entry) => entry.holders).flat());
    let hasChanged = false;
    for (const holder of holders) {
      if (inList.has(holder) || left.has(holder)) continue;
      left.set(holder, now);
      hasChanged = true;
    }
    for (const [deployment, at] of left) {
      const isOver = now - at >= maxLeftMs;
      if (!isOver && !inList.has(deployment) && holders.has(deployment)) continue;
      // One that is over stays until nothing is held by it: else it would seem to leave the list once more.
      if (isOver && holders.has(deployment) && !inList.has(deployment)) continue;
      left.delete(deployment);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Tells of a deployment that held a problem whether it may hold it still: it was not read whole, or it left the list. */
  private stillHolds({ left }: Memory, read: readonly Deployment[]): (holder: string) => boolean {
    const now = this.options.now();
    const whole = read.filter(({ answer }) => answer && !answer.findings.couldHide);
    const readWhole = new Set(whole.map(({ id }) => this.deploymentHash(id)));
    return (holder) => {
      const leftAt = left.get(holder);
      return leftAt === undefined ? !readWhole.has(holder) : now - leftAt < maxLeftMs;
    };
  }

  /**
   * What is a problem now, by its key, with the deployments whose answers name what it is about; and the
   * hashed keys of the accounts that work. Of an account that several answers name the newest one counts.
   */
  private shownIn(read: readonly Deployment[]) {
    const current = new Map<string, DeploymentProblem & { readonly holders: string[] }>();
    const accounts = new Map<string, { newest: AccountReading; readonly holders: string[] }>();
    for (const deployment of read) {
      const holder = this.deploymentHash(deployment.id);
      for (const problem of deployment.answer?.findings.problems ?? []) {
        if (problem.deploymentId !== undefined) current.set(problem.key, { deployment, problem, holders: [holder] });
      }
      for (const reading of readingsOf(deployment)) {
        const { key } = reading.finding;
        const known = accounts.get(key);
        if (known === undefined) {
          accounts.set(key, { newest: reading, holders: [holder] });
          continue;
        }
        known.holders.push(holder);
        if (isNewer(reading, known.newest)) known.newest = reading;
      }
    }
    const sound = new Set<string>();
    for (const { newest, holders } of accounts.values()) {
      const { deployment, finding } = newest;
      if (finding.problem) current.set(finding.key, { deployment, problem: finding.problem, holders });
      // That it failed may be what could not be read.
      else if (!newest.answer.findings.couldHide) sound.add(this.keyHash(finding));
    }
    return { current, sound };
  }

  private saveMutes(): void {
    this.save();
    this.waitForEnd();
    this.mutesChanged.fire();
  }

  private save(): void {
    const organizations = Array.from(this.organizations, ([organization, { problems, left }]) => {
      const entries = Array.from(problems, ([key, { since, sign, mutedUntil, holders }]) => [
        key,
        [since, sign, mutedUntil ?? null, holders],
      ]);
      return [organization, { problems: Object.fromEntries(entries), left: Object.fromEntries(left) }] as const;
    });
    this.update(memoryKey, organizations.length > 0 ? Object.fromEntries(organizations) : undefined);
  }

  private update(key: string, value: unknown): void {
    // If this fails, only what is remembered is lost with the window, for which nothing is asked.
    this.options.state.update(key, value).then(undefined, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log.warn(`Problems could not be remembered: ${reason}`);
    });
  }

  private expire(): void {
    const now = this.options.now();
    let hasExpired = false;
    for (const { problems } of this.organizations.values()) {
      for (const [key, entry] of problems) {
        if (entry.mutedUntil === undefined || entry.mutedUntil > now) continue;
        problems.set(key, { ...entry, mutedUntil: undefined });
        hasExpired = true;
      }
    }
    if (hasExpired) this.saveMutes();
    else this.waitForEnd();
  }

  private waitForEnd(): void {
    this.timer?.dispose();
    this.timer = undefined;
    let next = Infinity;
    for (const { problems } of this.organizations.values()) {
      for (const { mutedUntil = Infinity } of problems.values()) next = Math.min(next, mutedUntil);
    }
    if (next === Infinity) return;
    const left = (): number => next - this.options.now();
    this.timer = whenOver(left, () => this.expire(), this.options.setTimer);
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

function pairsIn(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

function memoryIn(saved: unknown, now: number): Memory {
  const { problems, left }: Partial<Record<string, unknown>> = isRecord(saved) ? saved : {};
  const entries = pairsIn(problems).flatMap(([key, value]) => {
    const entry = entryIn(value, now);
    return entry ? [[key, entry] as const] : [];
  });
  const times = pairsIn(left).flatMap(([deployment, at]) =>
    isTime(at) ? [[deployment, Math.min(at, now)] as const] : [],
  );
  return { problems: new Map(entries), left: new Map(times) };
}

/** Epoch ms that a `Date` can have. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(new Date(value).getTime());
}

function entryIn(value: unknown, now: number): Entry | undefined {
  if (!Array.isArray(value)) return undefined;
  const [since, sign, mutedUntil, holders]: readonly unknown[] = value;
  if (!isTime(since) || typeof sign !== 'string') return undefined;
  if (!Array.isArray(holders)) return undefined;
  return {
    since,
    sign,
    ...(typeof mutedUntil === 'number' && { mutedUntil: Math.min(mutedUntil, now + maxMuteMs) }),
    holders: holders.filter((holder) => typeof holder === 'string'),
  };
}

/** Each was named by the hash of a deployment, or for a shared account of none, and that of its key. */
function formerMemoryIn(saved: unknown, now: number): Memory {
  const { deployment, key } = hashChars;
  const problems = pairsIn(saved).flatMap(([name, value]) => {
    const holder = name.slice(0, deployment);
    const entry = Array.isArray(value) ? entryIn([value[0], value[1], value[2], [holder]], now) : undefined;
    return entry ? [[name.slice(deployment, deployment + key), entry] as const] : [];
  });
  return { problems: new Map(problems), left: new Map() };
}
