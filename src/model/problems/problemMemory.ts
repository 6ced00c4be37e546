import { hash as digest } from 'node:crypto';
import { isRecord } from '../../api/decode.js';
import { whenOver } from '../../api/timers.js';
import type { Deployment, DeploymentProblem } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import type { Clock } from '../time.js';
import { type AccountReading, isNewer, readingsOf } from './accountReadings.js';
import type { AccountFinding, Identity, Problem, Remembered } from './findings.js';

interface Entry {
  readonly since: number;
  readonly sign: string;
  readonly mutedUntil?: number | undefined;
}

interface ProblemMemoryOptions extends Clock {
  /** VS Code's state of the workspace, which is never synced. */
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  readonly log: { warn(line: string): void };
}

const problemMemoryKey = 'problems';
/** What version 0.2.0 remembered, which told problems apart in other ways. */
const formerMemoryKeys = ['seenSince', 'mutes'] as const;

export const dayMs = 24 * 60 * 60_000;
export const maxMuteMs = 90 * dayMs;

const lengths = { organization: 6, deployment: 8, key: 8, sign: 6 } as const;
const maxLength = 8;
/** A hash takes a microsecond, and a refresh asks for the same ones as the one before. */
const maxHashes = 200_000;

/** Since when each problem has been seen, its sign, and until when it is muted. Saved as hashes, which keep ids out of the file and protect no secret. */
export class ProblemMemory implements Disposable {
  private readonly mutesChanged = new Emitter<void>();
  readonly onDidChangeMutes = this.mutesChanged.event;
  /** By the hash of the organization, then by the hashes of deployment and key. */
  private readonly organizations = new Map<string, Map<string, Entry>>();
  /** By organization of which nothing was remembered: the deployments that this window has read. In others nothing is new. */
  private readonly firstReadings = new Map<string, Set<string>>();
  private readonly hashes = new Map<string, string>();
  private timer: Disposable | undefined;

  constructor(private readonly options: ProblemMemoryOptions) {
    const { state, now } = options;
    for (const key of formerMemoryKeys) if (state.get(key) !== undefined) this.update(key, undefined);
    // Others can write to the file that this comes from.
    for (const [organization, problems] of pairsIn(state.get(problemMemoryKey))) {
      const entries = pairsIn(problems).flatMap(([name, value]) => {
        const entry = entryIn(value, now() + maxMuteMs);
        return entry ? [[name, entry] as const] : [];
      });
      this.organizations.set(organization, new Map(entries));
    }
    this.expire();
  }

  /** Nothing is remembered of when a problem with another sign was first seen; a mute lasts until the end of the refresh. */
  recall(organizationId: string, identity: Identity): Partial<Remembered> {
    const entry = this.entriesOf(organizationId)?.get(this.nameOf(organizationId, identity));
    const { mutedUntil = 0 } = entry ?? {};
    return {
      ...(entry?.sign === this.hash(identity.sign, lengths.sign) && { seenSince: entry.since }),
      ...(mutedUntil > this.options.now() && { mutedUntil }),
    };
  }

  mute(organizationId: string, problems: readonly Problem[], until: number): void {
    const entries = this.entriesOf(organizationId) ?? this.begin(organizationId);
    for (const problem of problems) {
      const name = this.nameOf(organizationId, problem);
      entries.set(name, { ...(entries.get(name) ?? this.newEntry(problem)), mutedUntil: until });
    }
    this.saveMutes();
  }

  unmute(organizationId: string, problems: readonly Problem[]): void {
    const entries = this.entriesOf(organizationId);
    for (const problem of problems) {
      const name = this.nameOf(organizationId, problem);
      const entry = entries?.get(name);
      if (entry) entries?.set(name, { ...entry, mutedUntil: undefined });
    }
    this.saveMutes();
  }

  /**
   * At the end of a refresh: what the newest good answers show is remembered, and what they show gone or changed is forgotten. What
   * could not be read ends nothing. Gives the problems that are new.
   */
  settle(organizationId: string, deployments: readonly Deployment[]): readonly DeploymentProblem[] {
    this.expire();
    const read = deployments.filter(({ answer }) => answer);
    if (read.length === 0) return [];
    const isFirst = this.entriesOf(organizationId) === undefined;
    const entries = this.entriesOf(organizationId) ?? this.begin(organizationId);
    const firstRead = this.firstReadings.get(organizationId);
    const { current, sound } = shownIn(read);
    const fresh = new Map<string, Entry>();
    const found: DeploymentProblem[] = [];
    const unseen = new Set(entries.keys());
    for (const one of current.values()) {
      const name = this.nameOf(organizationId, one.problem);
      unseen.delete(name);
      if (entries.get(name)?.sign === this.hash(one.problem.sign, lengths.sign)) continue;
      fresh.set(name, this.newEntry(one.problem));
      if (!firstRead || firstRead.has(one.deployment.id)) found.push(one);
    }
    const gone = unseen.size > 0 ? this.goneOf(organizationId, unseen, deployments, sound) : [];
    const hasUnmuted = [...fresh.keys(), ...gone].some((name) => entries.get(name)?.mutedUntil !== undefined);
    for (const name of gone) entries.delete(name);
    for (const [name, entry] of fresh) entries.set(name, entry);
    for (const { id } of read) firstRead?.add(id);
    if (isFirst || fresh.size > 0 || gone.length > 0) this.save();
    if (hasUnmuted) this.mutesChanged.fire();
    return found;
  }

  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => this.hash(id, lengths.organization)));
    const gone = [...this.organizations.keys()].filter((organization) => !kept.has(organization));
    if (gone.length === 0) return;
    for (const organization of gone) this.organizations.delete(organization);
    this.firstReadings.clear();
    this.saveMutes();
  }

  dispose(): void {
    this.timer?.dispose();
    this.mutesChanged.dispose();
  }

  private entriesOf(organizationId: string): Map<string, Entry> | undefined {
    return this.organizations.get(this.hash(organizationId, lengths.organization));
  }

  private begin(organizationId: string): Map<string, Entry> {
    const entries = new Map<string, Entry>();
    this.organizations.set(this.hash(organizationId, lengths.organization), entries);
    this.firstReadings.set(organizationId, new Set());
    return entries;
  }

  private newEntry({ seenSince, sign }: Problem): Entry {
    return { since: seenSince, sign: this.hash(sign, lengths.sign) };
  }

  private nameOf(organizationId: string, { deploymentId, key }: Pick<Identity, 'deploymentId' | 'key'>): string {
    return this.deploymentName(organizationId, deploymentId) + this.hash(`${organizationId}\0${key}`, lengths.key);
  }

  private deploymentName(organizationId: string, deploymentId = ''): string {
    return this.hash(`${organizationId}\0${deploymentId}`, lengths.deployment);
  }

  private hash(text: string, length: number): string {
    let known = this.hashes.get(text);
    if (known === undefined) {
      if (this.hashes.size >= maxHashes) this.hashes.clear();
      known = digest('sha256', text, 'base64url').slice(0, maxLength);
      this.hashes.set(text, known);
    }
    return known.slice(0, length);
  }

  /** Those of the names whose problem is gone, by what could be read whole. `sound`: accounts that have not failed, as their newest answers say. */
  private goneOf(
    organizationId: string,
    names: ReadonlySet<string>,
    deployments: readonly Deployment[],
    sound: readonly AccountFinding[],
  ): readonly string[] {
    const whole = deployments.filter(({ answer }) => answer && !answer.findings.couldHide);
    const readWhole = new Set(whole.map(({ id }) => this.deploymentName(organizationId, id)));
    // Accounts that no answer names any more.
    if (whole.length === deployments.length) readWhole.add(this.deploymentName(organizationId));
    const soundNames = new Set(sound.map(({ key }) => this.nameOf(organizationId, { key, deploymentId: undefined })));
    return [...names].filter((name) => readWhole.has(name.slice(0, lengths.deployment)) || soundNames.has(name));
  }

  private saveMutes(): void {
    this.save();
    this.waitForEnd();
    this.mutesChanged.fire();
  }

  private save(): void {
    const organizations = Array.from(this.organizations, ([organization, entries]) => {
      const saved = Array.from(entries, ([name, { since, sign, mutedUntil }]) => [name, [since, sign, mutedUntil]]);
      return [organization, Object.fromEntries(saved)] as const;
    });
    this.update(problemMemoryKey, organizations.length > 0 ? Object.fromEntries(organizations) : undefined);
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
    for (const entries of this.organizations.values()) {
      for (const [name, entry] of entries) {
        if (entry.mutedUntil === undefined || entry.mutedUntil > now) continue;
        entries.set(name, { ...entry, mutedUntil: undefined });
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
    for (const entries of this.organizations.values()) {
      for (const { mutedUntil = Infinity } of entries.values()) next = Math.min(next, mutedUntil);
    }
    if (next === Infinity) return;
    const left = (): number => next - this.options.now();
    this.timer = whenOver(left, () => this.expire(), this.options.setTimer);
  }
}

/** What is a problem now, by its key, and the accounts that have not failed: of one that several answers name, the newest counts. */
function shownIn(read: readonly Deployment[]) {
  const current = new Map<string, DeploymentProblem>();
  const accounts = new Map<string, AccountReading>();
  for (const deployment of read) {
    for (const problem of deployment.answer?.findings.all ?? []) {
      if (problem.deploymentId !== undefined) current.set(problem.key, { deployment, problem });
    }
    for (const reading of readingsOf(deployment)) {
      const { key } = reading.finding;
      const known = accounts.get(key);
      if (known === undefined || isNewer(reading, known)) accounts.set(key, reading);
    }
  }
  const sound: AccountFinding[] = [];
  for (const { answer, deployment, finding } of accounts.values()) {
    if (finding.problem) current.set(finding.key, { deployment, problem: finding.problem });
    // That it failed may be what could not be read.
    else if (!answer.findings.couldHide) sound.push(finding);
  }
  return { current, sound };
}

function pairsIn(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

function entryIn(value: unknown, maxMutedUntil: number): Entry | undefined {
  const [since, sign, mutedUntil]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof since !== 'number' || !Number.isFinite(since) || typeof sign !== 'string') return undefined;
  return { since, sign, ...(typeof mutedUntil === 'number' && { mutedUntil: Math.min(mutedUntil, maxMutedUntil) }) };
}
