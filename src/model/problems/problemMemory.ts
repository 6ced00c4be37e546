import { hash as digest } from 'node:crypto';
import { whenOver } from '../../api/timers.js';
import { type Disposable, Emitter } from '../base/emitter.js';
import { lazy } from '../base/lazy.js';
import { type Clock, day } from '../base/time.js';
import { type Deployment, type DeploymentProblem, isUnreadable } from '../findings/deployment.js';
import type { AccountFinding, Identity, Problem } from '../findings/findings.js';
import { keysOfEquals } from '../findings/identity.js';
import type { Remembered } from '../findings/state.js';
import type { StoreMemory } from '../store/store.js';
import { type AccountReading, isNewer, readingsOf } from './accountReadings.js';
import { type Outcome, outcomeOf, type Reading, readingsIn } from './outcomes.js';
import {
  formerKeys,
  hashChars,
  type RememberedProblem,
  type RememberedProblems,
  savedProblems,
  savedProblemsKey,
  toSave,
} from './savedProblems.js';

interface ProblemMemoryOptions extends Clock {
  /** VS Code's state of the workspace, which is never synced. */
  readonly state: { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };
  readonly log: { warn(line: string): void };
}

/** A deployment that left the list may come back: another branch has another list. */
const maxLeftMs = 30 * day;

const maxHashChars = 8;
/** A hash takes a microsecond, and a refresh asks for the same ones as the one before. */
const maxHashes = 200_000;

/**
 * Remembers since when each problem has been seen, its sign, until when it is muted, and whether the
 * user wants to be notified when it is fixed. The store says whose problems are asked for, and at the
 * end of each refresh what was read. Saves hashes, which keep IDs
 * out of the file and protect no secret.
 */
export class ProblemMemory implements Remembered, StoreMemory {
  private readonly mutesChanged = new Emitter<void>();
  readonly onDidChangeMutes = this.mutesChanged.event;
  private readonly newProblemsFound = new Emitter<readonly DeploymentProblem[]>();
  readonly onDidFindNewProblems = this.newProblemsFound.event;
  private readonly notifyingChanged = new Emitter<void>();
  readonly onDidChangeNotifying = this.notifyingChanged.event;
  private readonly outcomesFound = new Emitter<readonly Outcome[]>();
  /** What became of the problems that the user wants to be notified of, each told once. */
  readonly onDidFindOutcomes = this.outcomesFound.event;
  /** The organization whose problems are asked for. */
  private organizationId = '';
  /** By the hash of the organization's ID. */
  private readonly organizations: Map<string, RememberedProblems>;
  /**
   * By the hash of an organization of which nothing was remembered: the deployments that this window has
   * read. What is found in others is not new.
   */
  private readonly firstReadings = new Map<string, Set<string>>();
  private readonly hashes = new Map<string, string>();
  private timer: Disposable | undefined;

  constructor(private readonly options: ProblemMemoryOptions) {
    const { state, now } = options;
    this.organizations = savedProblems(state, now());
    const former = formerKeys.filter((key) => state.get(key) !== undefined);
    if (former.length > 0) this.save();
    for (const key of former) this.update(key, undefined);
    this.expire();
  }

  setOrganization(organizationId: string | undefined): void {
    this.organizationId = organizationId ?? '';
  }

  /**
   * Epoch ms; `undefined` if it is not muted now. A mute lasts until the end of the refresh that finds the
   * problem changed.
   */
  mutedUntil(problem: Identity): number | undefined {
    const { mutedUntil } = this.find(problem) ?? {};
    return mutedUntil !== undefined && mutedUntil > this.options.now() ? mutedUntil : undefined;
  }

  /** Epoch ms; `undefined` of a problem that no refresh has ended with, or that had another sign then. */
  seenSince(problem: Identity): number | undefined {
    const known = this.find(problem);
    return known && this.hasSign(problem, known.sign) ? known.since : undefined;
  }

  notifies(problem: Identity): boolean {
    return this.find(problem)?.notifiedSign !== undefined;
  }

  /** Whether the user wants to be notified of any fix in the organization that is shown. */
  get isNotifying(): boolean {
    const problems = this.remembered?.problems.values() ?? [];
    return Array.from(problems).some(({ notifiedSign }) => notifiedSign !== undefined);
  }

  /** Notifies once: of the fix or of the change that a refresh finds. Ends silently with `mute`. */
  notifyWhenFixed(found: readonly DeploymentProblem[]): void {
    const { problems } = this.remembered ?? this.begin();
    for (const one of found) {
      const known = this.find(one.problem) ?? this.toRemember(one, [this.deploymentHash(one.deployment.id)]);
      const notifiedSign = this.signHash(one.problem) ?? known.sign;
      problems.set(this.keyHash(one.problem.key), { ...known, notifiedSign });
    }
    this.save();
    this.notifyingChanged.fire();
  }

  stopNotifying(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const known = this.find(problem);
      if (known) this.remembered?.problems.set(this.keyHash(problem.key), { ...known, notifiedSign: undefined });
    }
    this.save();
    this.notifyingChanged.fire();
  }

  /**
   * Returns one listed deployment for each problem whose fix the user wants to be notified of: one that
   * named it when last read, in this window or an earlier one.
   */
  holdersToNotifyOf(listed: readonly Deployment[]): readonly Deployment[] {
    const notified = this.notifiedProblems();
    if (notified.length === 0) return [];
    const byHash = new Map(listed.map((deployment) => [this.deploymentHash(deployment.id), deployment]));
    const chosen = new Set<Deployment>();
    for (const [, { holders }] of notified) {
      const having = holders.flatMap((holder) => byHash.get(holder) ?? []);
      if (having.some((deployment) => chosen.has(deployment))) continue;
      const [holder] = having.toSorted((a, b) => Number(isUnreadable(a)) - Number(isUnreadable(b)));
      if (holder) chosen.add(holder);
    }
    return [...chosen];
  }

  /** `until`: epoch ms. A user who mutes a problem wants no notification of it. */
  mute(found: readonly DeploymentProblem[], until: number): void {
    const { problems } = this.remembered ?? this.begin();
    const wasNotifying = found.some(({ problem }) => this.notifies(problem));
    for (const one of found) {
      const key = this.keyHash(one.problem.key);
      const known = problems.get(key) ?? this.toRemember(one, [this.deploymentHash(one.deployment.id)]);
      const mutedSign = this.signHash(one.problem) ?? known.sign;
      problems.set(key, { ...known, mutedUntil: until, mutedSign, notifiedSign: undefined });
    }
    this.mutesHaveChanged();
    if (wasNotifying) this.notifyingChanged.fire();
  }

  unmute(problems: readonly Problem[]): void {
    for (const problem of problems) {
      const known = this.find(problem);
      if (known) this.remembered?.problems.set(this.keyHash(problem.key), { ...known, mutedUntil: undefined });
    }
    this.mutesHaveChanged();
  }

  /**
   * At the end of a refresh: remembers what the newest good answers show, and forgets what they show gone or
   * changed. What could not be read ends nothing.
   */
  settle(listed: readonly Deployment[]): void {
    this.expire();
    const read = listed.filter(({ answer }) => answer);
    if (read.length === 0) return;
    const isFirst = this.remembered === undefined;
    const remembered = this.remembered ?? this.begin();
    const hasListChanged = this.noteWhatLeft(remembered, listed);
    const shown = shownIn(read);
    const ended = this.endedNotifications(remembered, shown, listed);
    const changes = this.changesTo(remembered, shown, read, ended);
    const outcomes = [...ended.values()].filter((outcome) => outcome !== undefined);
    const found = withoutChanged(this.newProblems(remembered, shown), outcomes);
    const hasUnmuted = Array.from(changes).some(
      ([key, after]) => remembered.problems.get(key)?.mutedUntil !== undefined && after?.mutedUntil === undefined,
    );
    for (const [key, after] of changes) {
      if (after) remembered.problems.set(key, after);
      else remembered.problems.delete(key);
    }
    const firstReading = this.firstReadings.get(this.organizationHash);
    for (const { id } of read) firstReading?.add(id);
    for (const key of ended.keys()) {
      const known = remembered.problems.get(key);
      if (known) remembered.problems.set(key, { ...known, notifiedSign: undefined });
    }
    if (isFirst || hasListChanged || changes.size > 0 || ended.size > 0) this.save();
    if (hasUnmuted) this.mutesChanged.fire();
    if (found.length > 0) this.newProblemsFound.fire(found);
    if (ended.size > 0) this.notifyingChanged.fire();
    if (outcomes.length > 0) this.outcomesFound.fire(outcomes);
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
    this.mutesHaveChanged();
  }

  dispose(): void {
    this.timer?.dispose();
    this.mutesChanged.dispose();
    this.newProblemsFound.dispose();
    this.notifyingChanged.dispose();
    this.outcomesFound.dispose();
  }

  private get organizationHash(): string {
    return this.hash(this.organizationId, hashChars.organization);
  }

  private get remembered(): RememberedProblems | undefined {
    return this.organizations.get(this.organizationHash);
  }

  private begin(): RememberedProblems {
    const remembered: RememberedProblems = { problems: new Map(), left: new Map() };
    this.organizations.set(this.organizationHash, remembered);
    this.firstReadings.set(this.organizationHash, new Set());
    return remembered;
  }

  private find(problem: Identity): RememberedProblem | undefined {
    return this.remembered?.problems.get(this.keyHash(problem.key));
  }

  private toRemember({ deployment, problem }: DeploymentProblem, holders: readonly string[]): RememberedProblem {
    const since = this.seenSince(problem) ?? deployment.answer?.sentAt ?? this.options.now();
    return { since, sign: this.signHash(problem) ?? '', holders };
  }

  /** Notes when deployments that hold a problem left the list. Returns whether one did, or came back. */
  private noteWhatLeft({ problems, left }: RememberedProblems, listed: readonly Deployment[]): boolean {
    const now = this.options.now();
    const inList = new Set(listed.map(({ id }) => this.deploymentHash(id)));
    const holders = new Set(Array.from(problems.values(), (problem) => problem.holders).flat());
    let hasChanged = false;
    for (const holder of holders) {
      if (inList.has(holder) || left.has(holder)) continue;
      left.set(holder, now);
      hasChanged = true;
    }
    for (const deployment of left.keys()) {
      // One that left long ago stays until it holds nothing: else it would seem to leave the list once more.
      if (holders.has(deployment) && !inList.has(deployment)) continue;
      left.delete(deployment);
      hasChanged = true;
    }
    return hasChanged;
  }

  /** Returns by the hash of a key what has to be remembered instead; `undefined`: nothing any more. */
  private changesTo(
    remembered: RememberedProblems,
    shown: Shown,
    read: readonly Deployment[],
    ended: ReadonlyMap<string, Outcome | undefined>,
  ): ReadonlyMap<string, RememberedProblem | undefined> {
    const changes = new Map<string, RememberedProblem | undefined>();
    const mayHold = this.thoseThatMayHold(remembered, read);
    const shownKeys = new Set<string>();
    for (const [key, one] of shown.problems) {
      const hashed = this.keyHash(key);
      shownKeys.add(hashed);
      const before = remembered.problems.get(hashed);
      const holders = new Set(shown.holders.get(key)?.map((id) => this.deploymentHash(id)));
      for (const holder of before?.holders ?? []) if (mayHold(holder)) holders.add(holder);
      if (before && this.hasSign(one.problem, before.sign)) {
        const sign = this.signHash(one.problem) ?? before.sign;
        const isSame = sign === before.sign && isSameList(before.holders, [...holders]);
        if (!isSame) changes.set(hashed, { ...before, sign, holders: [...holders] });
        continue;
      }
      const isMuted = before !== undefined && before.mutedSign === this.signHash(one.problem);
      const after = { ...this.toRemember(one, [...holders]), notifiedSign: before?.notifiedSign };
      changes.set(hashed, isMuted ? { ...after, mutedUntil: before.mutedUntil } : after);
    }
    // Hashing the keys of all accounts that work takes time, so it is done only if a problem is not shown.
    const sound = lazy(() => this.hashed(shown.sound.keys()));
    const unknown = lazy(() => this.hashed(unknownRequirements(read)));
    for (const [key, { holders, notifiedSign }] of remembered.problems) {
      if (shownKeys.has(key) || (notifiedSign !== undefined && !ended.has(key))) continue;
      const isGone = sound().has(key) || !holders.some(mayHold);
      if (isGone && !unknown().has(key)) changes.set(key, undefined);
    }
    return changes;
  }

  /**
   * Returns whether a deployment that held a problem may hold it still, because it was not read whole or
   * left the list.
   */
  private thoseThatMayHold({ left }: RememberedProblems, read: readonly Deployment[]): (holder: string) => boolean {
    const now = this.options.now();
    const whole = read.filter(({ answer }) => answer && !answer.findings.couldHide);
    const readWhole = new Set(whole.map(({ id }) => this.deploymentHash(id)));
    return (holder) => {
      const leftAt = left.get(holder);
      return leftAt === undefined ? !readWhole.has(holder) : now - leftAt < maxLeftMs;
    };
  }

  private newProblems({ problems }: RememberedProblems, shown: Shown): readonly DeploymentProblem[] {
    const firstReading = this.firstReadings.get(this.organizationHash);
    return Array.from(shown.problems.values()).filter(({ deployment, problem }) => {
      const { sign, mutedSign } = problems.get(this.keyHash(problem.key)) ?? {};
      const isKnown = [sign, mutedSign].some((known) => known !== undefined && this.hasSign(problem, known));
      return !isKnown && (firstReading === undefined || firstReading.has(deployment.id));
    });
  }

  private notifiedProblems(): readonly (readonly [key: string, RememberedProblem])[] {
    const problems = this.remembered?.problems ?? [];
    return Array.from(problems).filter(([, { notifiedSign }]) => notifiedSign !== undefined);
  }

  /**
   * Returns by the hash of a key what became of each problem that the user wants to be notified of;
   * `undefined`: all deployments that held it were removed from the list. What still is as it was, or
   * could not be read, is left out.
   */
  private endedNotifications(
    remembered: RememberedProblems,
    shown: Shown,
    listed: readonly Deployment[],
  ): ReadonlyMap<string, Outcome | undefined> {
    const ended = new Map<string, Outcome | undefined>();
    const notified = this.notifiedProblems();
    if (notified.length === 0) return ended;
    const byHash = new Map(listed.map((deployment) => [this.deploymentHash(deployment.id), deployment]));
    const problems = new Map(Array.from(shown.problems, ([key, one]) => [this.keyHash(key), one]));
    const outcomeOfMissing = this.outcomesOfMissing(remembered, shown, listed);
    for (const [key, known] of notified) {
      const holders = known.holders.flatMap((holder) => byHash.get(holder) ?? []);
      const problem = problems.get(key);
      if (holders.length === 0) {
        ended.set(key, undefined);
      } else if (problem === undefined) {
        const outcome = outcomeOfMissing(key, known, holders);
        if (outcome) ended.set(key, outcome);
      } else if (this.hasChanged(problem.problem, known)) {
        ended.set(key, { kind: 'changed', ...problem });
      }
    }
    return ended;
  }

  /** Since the user asked to be notified, and since the refresh before: the row may have been older than that. */
  private hasChanged(problem: Identity, { sign, notifiedSign = '' }: RememberedProblem): boolean {
    return !this.hasSign(problem, notifiedSign) && !this.hasSign(problem, sign);
  }

  /**
   * Returns a function that says what became of a problem that is not shown any more; `undefined` if
   * that could not be read.
   */
  private outcomesOfMissing(remembered: RememberedProblems, shown: Shown, listed: readonly Deployment[]) {
    const mayHold = this.thoseThatMayHold(remembered, listed);
    const sound = lazy(() => new Map(Array.from(shown.sound, ([key, finding]) => [this.keyHash(key), finding])));
    const recounted = lazy(() => this.recounted(remembered, shown));
    const readings = new Map<Deployment, ReadonlyMap<string, Reading>>();
    const readingIn = (deployment: Deployment, key: string): Reading | undefined => {
      const known = readings.get(deployment) ?? this.readingsByKey(deployment);
      readings.set(deployment, known);
      return known.get(key);
    };
    return (key: string, known: RememberedProblem, holders: readonly Deployment[]): Outcome | undefined => {
      const account = sound().get(key);
      if (account)
        return { kind: 'fixed', finding: account, deployments: listed.filter((one) => hasAccount(one, account)) };
      const [deployment] = holders;
      const again = recounted().get(key);
      const reading = deployment && readingIn(deployment, key);
      const outcome = reading && outcomeOf(reading);
      if (outcome?.kind === 'fixed' && again) return { kind: 'changed', ...again };
      if (reading || deployment === undefined) return outcome;
      if (again) return { kind: 'changed', ...again };
      return known.holders.some(mayHold) ? undefined : { kind: 'gone', deployment };
    };
  }

  /**
   * Problems that are not remembered yet, by the keys that they may have had: of equal requirements each
   * is known by its place among them, so that another one seems to have the problem when they are counted anew.
   */
  private recounted({ problems }: RememberedProblems, shown: Shown): ReadonlyMap<string, DeploymentProblem> {
    const byKey = new Map<string, DeploymentProblem>();
    for (const one of shown.problems.values()) {
      const { deploymentId, key } = one.problem;
      if (deploymentId === undefined || problems.has(this.keyHash(key))) continue;
      for (const former of keysOfEquals(key)) byKey.set(this.keyHash(former), one);
    }
    return byKey;
  }

  private readingsByKey(deployment: Deployment): ReadonlyMap<string, Reading> {
    const readings = readingsIn(deployment);
    return new Map(readings.map((reading) => [this.keyHash(reading.finding.key), reading]));
  }

  private hashed(keys: Iterable<string>): ReadonlySet<string> {
    return new Set(Array.from(keys, (key) => this.keyHash(key)));
  }

  private keyHash(key: string): string {
    return this.hash(`${this.organizationId}\0${key}`, hashChars.key);
  }

  private deploymentHash(id: string): string {
    return this.hash(`${this.organizationId}\0${id}`, hashChars.deployment);
  }

  /** `undefined` if the sign could not be read. */
  private signHash({ sign }: Identity): string | undefined {
    return sign === undefined ? undefined : this.hash(sign, hashChars.sign);
  }

  /** Whether a problem may still have the sign with this hash. What could not be read changes nothing. */
  private hasSign(problem: Identity, hash: string): boolean {
    const sign = this.signHash(problem);
    return sign === undefined || hash === '' || sign === hash;
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

  private mutesHaveChanged(): void {
    this.save();
    this.waitForEnd();
    this.mutesChanged.fire();
  }

  private save(): void {
    this.update(savedProblemsKey, toSave(this.organizations));
  }

  private update(key: string, value: unknown): void {
    // If this fails, only what is remembered is lost with the window, for which nothing is asked.
    this.options.state.update(key, value).then(undefined, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log.warn(`Problems could not be remembered: ${reason}`);
    });
  }

  /** Ends the mutes whose time is over. */
  private expire(): void {
    const now = this.options.now();
    let hasExpired = false;
    for (const { problems } of this.organizations.values()) {
      for (const [key, problem] of problems) {
        if (problem.mutedUntil === undefined || problem.mutedUntil > now) continue;
        problems.set(key, { ...problem, mutedUntil: undefined });
        hasExpired = true;
      }
    }
    if (hasExpired) this.mutesHaveChanged();
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

/** What the newest good answers show, of an account that several name the newest one. */
interface Shown {
  /** By their keys. */
  readonly problems: ReadonlyMap<string, DeploymentProblem>;
  /** By the key of a problem: the IDs of the deployments whose answers name what it is about. */
  readonly holders: ReadonlyMap<string, readonly string[]>;
  /** The accounts that work, by their keys. */
  readonly sound: ReadonlyMap<string, AccountFinding>;
}

function shownIn(read: readonly Deployment[]): Shown {
  const problems = new Map<string, DeploymentProblem>();
  const holders = new Map<string, string[]>();
  for (const deployment of read) {
    for (const problem of deployment.answer?.findings.problems ?? []) {
      if (problem.deploymentId === undefined) continue;
      problems.set(problem.key, { deployment, problem });
      holders.set(problem.key, [deployment.id]);
    }
  }
  const sound = new Map<string, AccountFinding>();
  for (const { answer, deployment, finding } of newestReadings(read)) {
    if (finding.problem) {
      problems.set(finding.key, { deployment, problem: finding.problem });
      holders.set(finding.key, []);
    } else if (!answer.findings.couldHide) {
      sound.set(finding.key, finding);
    }
  }
  for (const { id, answer } of read) {
    for (const { key } of answer?.findings.accountsById.values() ?? []) holders.get(key)?.push(id);
  }
  return { problems, holders, sound };
}

function hasAccount({ answer }: Deployment, { account: { id = '' } }: AccountFinding): boolean {
  return answer?.findings.accountsById.has(id) === true;
}

/** What is told as a change of a problem that the user knows is not told as a new one. */
function withoutChanged(
  found: readonly DeploymentProblem[],
  outcomes: readonly Outcome[],
): readonly DeploymentProblem[] {
  const changed = outcomes.flatMap((outcome) => (outcome.kind === 'changed' ? outcome.problem.key : []));
  return found.filter(({ problem }) => !changed.includes(problem.key));
}

/** The keys of the requirements of which the platform did not say whether they are satisfied. */
function unknownRequirements(read: readonly Deployment[]): readonly string[] {
  const requirements = read.flatMap(({ answer }) => answer?.findings.requirements ?? []);
  return requirements.filter(({ state }) => state === 'unknown').map(({ key }) => key);
}

function newestReadings(read: readonly Deployment[]): Iterable<AccountReading> {
  const newest = new Map<string, AccountReading>();
  for (const reading of read.flatMap(readingsOf)) {
    const { key } = reading.finding;
    const known = newest.get(key);
    if (known === undefined || isNewer(reading, known)) newest.set(key, reading);
  }
  return newest.values();
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}
