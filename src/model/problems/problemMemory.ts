import { whenOver } from '../../api/timers.js';
import { type Disposable, Emitter, type Event } from '../base/emitter.js';
import { lazy } from '../base/lazy.js';
import { type Clock, day } from '../base/time.js';
import { type Deployment, type DeploymentProblem, isUnreadable } from '../findings/deployment.js';
import type { Identity, Problem } from '../findings/findings.js';
import type { Mute, Remembered } from '../findings/state.js';
import type { StoreMemory } from '../store/store.js';
import { Hashes } from './hashes.js';
import type { MutesForEveryone } from './mutes.js';
import { type NotificationEnd, type Outcome, Outcomes } from './outcomes.js';
import {
  formerKeys,
  type RememberedProblem,
  type RememberedProblems,
  savedProblems,
  savedProblemsKey,
  toSave,
} from './savedProblems.js';
import { type ShownProblems, shownIn, unknownRequirements } from './shownProblems.js';

interface ProblemMemoryOptions extends Clock {
  /** VS Code's state of the workspace, which is never synced. */
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  readonly log: { warn(line: string): void };
  /** The setting `mutes`. */
  readonly muteEntries: {
    readonly current: MutesForEveryone;
    readonly onDidChange: Event<void>;
  };
}

/**
 * A deployment that left the list may come back, because another branch of the repository has
 * another list.
 */
const maxLeftMs = 30 * day;

/** What a refresh has found, by the store's last answers. */
interface Refreshed {
  readonly listed: readonly Deployment[];
  /** The listed deployments that have an answer, which may be older than the refresh. */
  readonly read: readonly Deployment[];
  /** What their answers show. */
  readonly shown: ShownProblems;
}

/**
 * Remembers when each problem was first seen, its sign, until when it is muted, and whether the
 * user wants to be notified when it is fixed, and saves that in VS Code's state. The store sets the
 * organization and reports the end of each refresh; views and commands ask and change what is
 * remembered.
 */
export class ProblemMemory implements Remembered, StoreMemory {
  private readonly mutesChanged = new Emitter<void>();
  readonly onDidChangeMutes = this.mutesChanged.event;
  private readonly newProblemsFound = new Emitter<readonly DeploymentProblem[]>();
  readonly onDidFindNewProblems = this.newProblemsFound.event;
  private readonly notifyingChanged = new Emitter<void>();
  /** Fires when the user wants to be notified of other problems than before. */
  readonly onDidChangeNotifying = this.notifyingChanged.event;
  private readonly outcomesFound = new Emitter<readonly Outcome[]>();
  /** Fires with what became of problems of which the user wanted to be notified, once for each. */
  readonly onDidFindOutcomes = this.outcomesFound.event;
  /** By the hash of the organization's ID. */
  private readonly organizations: Map<string, RememberedProblems>;
  /**
   * By the hash of an organization of which this window had nothing saved: the IDs of the
   * deployments that it has read since. Problems of other deployments existed before, and are not
   * new.
   */
  private readonly firstReadings = new Map<string, Set<string>>();
  /** Of the organization whose problems are asked for. */
  private readonly hashes = new Hashes();
  /** Until the next mute ends. */
  private timer: Disposable | undefined;
  /** Epoch ms at which the next mute for everyone ends. */
  private nextEndForEveryone = Infinity;
  private readonly subscription: Disposable;

  constructor(private readonly options: ProblemMemoryOptions) {
    const { state, now } = options;
    this.organizations = savedProblems(state, now());
    const usedFormerKeys = formerKeys.filter((key) => state.get(key) !== undefined);
    if (usedFormerKeys.length > 0) this.save();
    for (const key of usedFormerKeys) this.update(key, undefined);
    this.expireMutes();
    this.subscription = options.muteEntries.onDidChange(() => this.fireMutesChanged());
  }

  setOrganization(organizationId: string | undefined): void {
    this.hashes.organizationId = organizationId ?? '';
  }

  /**
   * Returns the user's own mute or the mute for everyone, whichever ends last; `undefined` if the
   * problem is not muted now.
   */
  muteOf(problem: Problem): Mute | undefined {
    const own = this.ownMuteOf(problem);
    const entry = this.mutesForEveryone.entryFor(problem, this.options.now());
    if (entry === undefined) return own;
    if (own !== undefined && own.until > entry.endsAt) return own;
    return { until: entry.endsAt, isUntilChange: false, forEveryone: entry };
  }

  hasChangedSinceMuted(problem: Problem): boolean {
    const { now } = this.options;
    return (
      this.ownMuteOf(problem) === undefined &&
      this.mutesForEveryone.hasChangedSinceMuted(problem, now())
    );
  }

  /**
   * Returns the user's own mute, which lasts until the end of the refresh that finds the problem
   * changed; `undefined` if there is none now.
   */
  ownMuteOf(problem: Identity): Mute | undefined {
    const remembered = this.find(problem);
    const { mutedUntil: until = -Infinity, isMutedUntilChange = false } = remembered ?? {};
    if (until <= this.options.now()) return undefined;
    return { until, isUntilChange: isMutedUntilChange };
  }

  /**
   * Returns the epoch ms at which the problem was first seen; `undefined` if it is not remembered,
   * or only with another sign.
   */
  seenSince(problem: Identity): number | undefined {
    const remembered = this.find(problem);
    if (remembered === undefined) return undefined;
    return this.hashes.canHaveSign(problem, remembered.sign) ? remembered.since : undefined;
  }

  notifies(problem: Identity): boolean {
    return this.find(problem)?.notifiedSign !== undefined;
  }

  /**
   * Whether the user wants to be notified of the fix of any problem in the current organization.
   */
  get isNotifying(): boolean {
    return this.notifiedProblems().length > 0;
  }

  /**
   * Remembers that the user wants a notification of each of these problems once a refresh finds it
   * fixed, gone, or changed (with another sign than now). Muting the problem ends that without a
   * notification.
   */
  notifyWhenFixed(problems: readonly DeploymentProblem[]): void {
    const remembered = this.remembered ?? this.begin();
    for (const found of problems) {
      const before = this.find(found.problem) ?? this.toRemember(found, [this.holderOf(found)]);
      const notifiedSign = this.hashes.ofSign(found.problem) || before.sign;
      const keyHash = this.hashes.ofKey(found.problem.key);
      remembered.problems.set(keyHash, { ...before, notifiedSign });
    }
    this.save();
    this.notifyingChanged.fire();
  }

  stopNotifying(problems: readonly Problem[]): void {
    for (const problem of problems) this.change(problem, { notifiedSign: undefined });
    this.save();
    this.notifyingChanged.fire();
  }

  /**
   * Returns one listed deployment for each problem of which the user wants to be notified: one that
   * had the problem when it was last read, in this window or an earlier one, if possible one that
   * can be read.
   */
  holdersToNotifyOf(listed: readonly Deployment[]): readonly Deployment[] {
    const notified = this.notifiedProblems();
    if (notified.length === 0) return [];
    const byHash = new Map(
      listed.map((deployment) => [this.hashes.ofDeployment(deployment.id), deployment]),
    );
    const chosen = new Set<Deployment>();
    for (const [, problem] of notified) {
      const holders = problem.holders.flatMap((hash) => byHash.get(hash) ?? []);
      if (holders.some((deployment) => chosen.has(deployment))) continue;
      const holder = holders.find((deployment) => !isUnreadable(deployment)) ?? holders[0];
      if (holder) chosen.add(holder);
    }
    return [...chosen];
  }

  /**
   * Mutes these problems. `until`: epoch ms. `isUntilChange`: `until` is only the latest end of a
   * mute that lasts until the problem changes. A user who mutes a problem wants no notification of
   * it.
   */
  mute(problems: readonly DeploymentProblem[], until: number, isUntilChange = false): void {
    const remembered = this.remembered ?? this.begin();
    const wasNotifying = problems.some(({ problem }) => this.notifies(problem));
    for (const found of problems) {
      const before = this.find(found.problem) ?? this.toRemember(found, [this.holderOf(found)]);
      remembered.problems.set(this.hashes.ofKey(found.problem.key), {
        ...before,
        mutedUntil: until,
        isMutedUntilChange: isUntilChange,
        mutedSign: this.hashes.ofSign(found.problem) || before.sign,
        notifiedSign: undefined,
      });
    }
    this.mutesHaveChanged();
    if (wasNotifying) this.notifyingChanged.fire();
  }

  unmute(problems: readonly Problem[]): void {
    for (const problem of problems) this.change(problem, { mutedUntil: undefined });
    this.mutesHaveChanged();
  }

  /**
   * Remembers what the last good answers show, and forgets the problems that have gone or changed.
   * What could not be read ends nothing.
   */
  endRefresh(listed: readonly Deployment[]): void {
    this.expireMutes();
    const read = listed.filter(({ answer }) => answer);
    if (read.length === 0) return;
    const isFirst = this.remembered === undefined;
    const remembered = this.remembered ?? this.begin();
    const refreshed: Refreshed = { listed, read, shown: shownIn(read) };

    // What has changed since the refresh before, by what is still remembered of that.
    const hasListChanged = this.noteWhatLeft(remembered, listed);
    const ends = this.notificationEnds(remembered, refreshed);
    const changes = this.changesTo(remembered, refreshed, ends);
    const outcomes = [...ends.values()].filter((end) => end.kind !== 'unlisted');
    const newProblems = withoutChanged(this.newProblems(remembered, refreshed.shown), outcomes);
    const hasUnmuted = this.endsMute(remembered, changes);

    this.applyChanges(remembered, changes);
    const firstReading = this.firstReadings.get(this.hashes.ofOrganization);
    for (const { id } of read) firstReading?.add(id);
    for (const keyHash of ends.keys()) {
      const problem = remembered.problems.get(keyHash);
      if (problem) remembered.problems.set(keyHash, { ...problem, notifiedSign: undefined });
    }

    if (isFirst || hasListChanged || changes.size > 0 || ends.size > 0) this.save();
    if (hasUnmuted) this.mutesChanged.fire();
    if (newProblems.length > 0) this.newProblemsFound.fire(newProblems);
    if (ends.size > 0) this.notifyingChanged.fire();
    if (outcomes.length > 0) this.outcomesFound.fire(outcomes);
  }

  /** Forgets all organizations but those with these IDs. */
  keepOrganizations(ids: Iterable<string>): void {
    const kept = new Set(Array.from(ids, (id) => this.hashes.ofAnyOrganization(id)));
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
    this.subscription.dispose();
    this.mutesChanged.dispose();
    this.newProblemsFound.dispose();
    this.notifyingChanged.dispose();
    this.outcomesFound.dispose();
  }

  private get mutesForEveryone(): MutesForEveryone {
    return this.options.muteEntries.current;
  }

  /** What is remembered of the current organization; `undefined` if nothing is. */
  private get remembered(): RememberedProblems | undefined {
    return this.organizations.get(this.hashes.ofOrganization);
  }

  /** Begins to remember problems of the current organization. */
  private begin(): RememberedProblems {
    const remembered: RememberedProblems = { problems: new Map(), left: new Map() };
    this.organizations.set(this.hashes.ofOrganization, remembered);
    this.firstReadings.set(this.hashes.ofOrganization, new Set());
    return remembered;
  }

  private find(problem: Identity): RememberedProblem | undefined {
    return this.remembered?.problems.get(this.hashes.ofKey(problem.key));
  }

  /** Changes what is remembered of a problem; does nothing if nothing is. */
  private change(problem: Identity, change: Partial<RememberedProblem>): void {
    const before = this.find(problem);
    if (before === undefined) return;
    this.remembered?.problems.set(this.hashes.ofKey(problem.key), { ...before, ...change });
  }

  /** Returns the hash of the problem's deployment. */
  private holderOf({ deployment }: DeploymentProblem): string {
    return this.hashes.ofDeployment(deployment.id);
  }

  /** Returns what to remember of a problem at first. `holders`: hashes of deployments. */
  private toRemember(
    { deployment, problem }: DeploymentProblem,
    holders: readonly string[],
  ): RememberedProblem {
    const since = this.seenSince(problem) ?? deployment.answer?.asOf ?? this.options.now();
    return { since, sign: this.hashes.ofSign(problem), holders };
  }

  /**
   * Notes when deployments that hold a problem left the list. Returns whether one has left, has
   * come back, or holds no problem any more.
   */
  private noteWhatLeft(
    { problems, left }: RememberedProblems,
    listed: readonly Deployment[],
  ): boolean {
    const now = this.options.now();
    const listedHashes = new Set(listed.map(({ id }) => this.hashes.ofDeployment(id)));
    const holders = new Set(Array.from(problems.values(), (problem) => problem.holders).flat());
    let hasChanged = false;
    for (const holder of holders) {
      if (listedHashes.has(holder) || left.has(holder)) continue;
      left.set(holder, now);
      hasChanged = true;
    }
    for (const deployment of left.keys()) {
      // One that left long ago stays noted while it holds a problem: otherwise it would seem to
      // leave anew.
      if (holders.has(deployment) && !listedHashes.has(deployment)) continue;
      left.delete(deployment);
      hasChanged = true;
    }
    return hasChanged;
  }

  /**
   * Returns by the hash of a key what has to be remembered of a problem from now on; `undefined`
   * for a problem that has to be forgotten. `ends`: the notifications that end.
   */
  private changesTo(
    { left, problems }: RememberedProblems,
    { read, shown }: Refreshed,
    ends: ReadonlyMap<string, NotificationEnd>,
  ): ReadonlyMap<string, RememberedProblem | undefined> {
    const changes = new Map<string, RememberedProblem | undefined>();
    const mayHold = this.holderTest(left, read);

    const shownKeys = new Set<string>();
    for (const [key, shownProblem] of shown.problems) {
      const keyHash = this.hashes.ofKey(key);
      shownKeys.add(keyHash);
      const before = problems.get(keyHash);
      const holders = new Set(shown.holders.get(key)?.map((id) => this.hashes.ofDeployment(id)));
      for (const holder of before?.holders ?? []) if (mayHold(holder)) holders.add(holder);
      const after = this.afterRefresh(before, shownProblem, [...holders]);
      if (after !== before) changes.set(keyHash, after);
    }

    // Hashing the keys of all accounts that work takes time, so it is done only if a problem is not
    // shown.
    const workingKeys = lazy(() => this.hashesOf(shown.workingAccounts.keys()));
    const unknownKeys = lazy(() => this.hashesOf(unknownRequirements(read)));
    for (const [keyHash, { holders, notifiedSign }] of problems) {
      const isAwaited = notifiedSign !== undefined && !ends.has(keyHash);
      if (shownKeys.has(keyHash) || isAwaited) continue;
      const isGone = workingKeys().has(keyHash) || !holders.some(mayHold);
      if (isGone && !unknownKeys().has(keyHash)) changes.set(keyHash, undefined);
    }
    return changes;
  }

  /**
   * Returns what has to be remembered of a problem that answers show: `before` itself if nothing
   * has changed. `holders`: hashes of deployments.
   */
  private afterRefresh(
    before: RememberedProblem | undefined,
    shown: DeploymentProblem,
    holders: readonly string[],
  ): RememberedProblem {
    const signHash = this.hashes.ofSign(shown.problem);
    if (before && this.hashes.canHaveSign(shown.problem, before.sign)) {
      const sign = signHash || before.sign;
      if (sign === before.sign && isSameList(before.holders, holders)) return before;
      // The first sign that can be read is the one that the user saw.
      const notifiedSign = before.notifiedSign === '' ? sign : before.notifiedSign;
      return { ...before, sign, notifiedSign, holders };
    }

    // The problem is new or has changed. A mute stays if the user saw the problem as it is now.
    const created = this.toRemember(shown, holders);
    const after = { ...created, notifiedSign: before?.notifiedSign };
    if (before === undefined || before.mutedSign !== signHash) return after;
    const { mutedUntil, isMutedUntilChange } = before;
    return { ...after, mutedUntil, isMutedUntilChange };
  }

  /** Returns whether one of the changes ends a mute. */
  private endsMute(
    { problems }: RememberedProblems,
    changes: ReadonlyMap<string, RememberedProblem | undefined>,
  ): boolean {
    return Array.from(changes).some(([keyHash, after]) => {
      const wasMuted = problems.get(keyHash)?.mutedUntil !== undefined;
      return wasMuted && after?.mutedUntil === undefined;
    });
  }

  private applyChanges(
    { problems }: RememberedProblems,
    changes: ReadonlyMap<string, RememberedProblem | undefined>,
  ): void {
    for (const [keyHash, after] of changes) {
      if (after) problems.set(keyHash, after);
      else problems.delete(keyHash);
    }
  }

  /**
   * Returns a function that returns whether the deployment with this hash, which held a problem,
   * may hold it still, because it was not read whole or left the list not long ago.
   */
  private holderTest(
    left: RememberedProblems['left'],
    read: readonly Deployment[],
  ): (holder: string) => boolean {
    const now = this.options.now();
    const readWhole = read.filter(({ answer }) => answer && !answer.findings.mayHideProblem);
    const readWholeHashes = new Set(readWhole.map(({ id }) => this.hashes.ofDeployment(id)));
    return (holder) => {
      const leftAt = left.get(holder);
      if (leftAt === undefined) return !readWholeHashes.has(holder);
      return now - leftAt < maxLeftMs;
    };
  }

  /**
   * Returns the shown problems that are not remembered with the sign that they have, except those
   * of deployments of which `firstReadings` does not know yet which problems existed before.
   */
  private newProblems(
    { problems }: RememberedProblems,
    shown: ShownProblems,
  ): readonly DeploymentProblem[] {
    const firstReading = this.firstReadings.get(this.hashes.ofOrganization);
    return Array.from(shown.problems.values()).filter(({ deployment, problem }) => {
      const isRead = firstReading === undefined || firstReading.has(deployment.id);
      if (!isRead) return false;
      const before = problems.get(this.hashes.ofKey(problem.key));
      if (before === undefined) return true;
      const { sign, mutedSign = sign } = before;
      const isSame =
        this.hashes.canHaveSign(problem, sign) || this.hashes.canHaveSign(problem, mutedSign);
      return !isSame;
    });
  }

  /** Returns the problems of which the user wants to be notified, by the hashes of their keys. */
  private notifiedProblems(): readonly (readonly [keyHash: string, RememberedProblem])[] {
    const problems = this.remembered?.problems ?? [];
    return Array.from(problems).filter(([, { notifiedSign }]) => notifiedSign !== undefined);
  }

  /**
   * Returns by the hash of a key what became of each problem of which the user wants to be
   * notified. Problems that are as they were, or could not be read, are left out.
   */
  private notificationEnds(
    { left, problems }: RememberedProblems,
    { listed, shown }: Refreshed,
  ): ReadonlyMap<string, NotificationEnd> {
    const ends = new Map<string, NotificationEnd>();
    const notified = this.notifiedProblems();
    if (notified.length === 0) return ends;
    const outcomes = new Outcomes({
      hashes: this.hashes,
      listed,
      shown,
      remembered: problems,
      mayHold: this.holderTest(left, listed),
    });
    for (const [keyHash, problem] of notified) {
      const end = outcomes.endOf(keyHash, problem);
      if (end) ends.set(keyHash, end);
    }
    return ends;
  }

  private hashesOf(keys: Iterable<string>): ReadonlySet<string> {
    return new Set(Array.from(keys, (key) => this.hashes.ofKey(key)));
  }

  private mutesHaveChanged(): void {
    this.save();
    this.fireMutesChanged();
  }

  /** For a change of what the settings say: nothing that is remembered has changed. */
  private fireMutesChanged(): void {
    this.waitForEndOfMute();
    this.mutesChanged.fire();
  }

  private save(): void {
    this.update(savedProblemsKey, toSave(this.organizations));
  }

  private update(key: string, value: unknown): void {
    // If saving fails, only what is remembered is lost with the window, so the user is not asked
    // anything.
    this.options.state.update(key, value).then(undefined, (error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      this.options.log.warn(`Problems could not be remembered: ${reason}`);
    });
  }

  /** Ends the mutes whose time is over, and waits for the next to end. */
  private expireMutes(): void {
    const now = this.options.now();
    let hasExpired = this.nextEndForEveryone <= now;
    for (const { problems } of this.organizations.values()) {
      for (const [keyHash, problem] of problems) {
        if (problem.mutedUntil === undefined || problem.mutedUntil > now) continue;
        problems.set(keyHash, { ...problem, mutedUntil: undefined });
        hasExpired = true;
      }
    }
    if (hasExpired) this.mutesHaveChanged();
    else this.waitForEndOfMute();
  }

  private waitForEndOfMute(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.nextEndForEveryone = this.mutesForEveryone.nextEndAfter(this.options.now());
    let nextEnd = this.nextEndForEveryone;
    for (const { problems } of this.organizations.values()) {
      for (const { mutedUntil = Infinity } of problems.values()) {
        nextEnd = Math.min(nextEnd, mutedUntil);
      }
    }
    if (nextEnd === Infinity) return;
    const leftMs = (): number => nextEnd - this.options.now();
    this.timer = whenOver(leftMs, () => this.expireMutes(), this.options.setTimer);
  }
}

/** Returns the new problems without those of which the user is notified as changed. */
function withoutChanged(
  newProblems: readonly DeploymentProblem[],
  outcomes: readonly Outcome[],
): readonly DeploymentProblem[] {
  const changedKeys = outcomes.flatMap((outcome) =>
    outcome.kind === 'changed' ? outcome.problem.key : [],
  );
  return newProblems.filter(({ problem }) => !changedKeys.includes(problem.key));
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
