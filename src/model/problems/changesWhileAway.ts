import { DisposableOwner } from '../base/disposableOwner.js';
import { Emitter } from '../base/emitter.js';
import { type Clock, minute } from '../base/time.js';
import { type Deployment, isFailing, isUnreadable, oldestAsOf } from '../findings/deployment.js';
import type { Identity } from '../findings/findings.js';
import { type Mutes, unmutedProblems } from '../findings/state.js';
import type { Store } from '../store/store.js';

/** Numbers of deployments. */
export interface AwayChanges {
  /** Epoch ms as of which all that the user saw before was true. */
  readonly since: number;
  /** Deployments that fail now and did not before. */
  readonly newCount: number;
  /** Deployments that failed before and have a new problem now. */
  readonly changedCount: number;
  /** Deployments that failed before, do not fail now, and have none of those problems any more. */
  readonly fixedCount: number;
}

interface ChangesWhileAwayOptions extends Pick<Clock, 'now'> {
  readonly settings: {
    /** In minutes; 0 is off. */
    readonly refreshInterval: number;
  };
  readonly mutes: Mutes;
  /** Whether changes of the deployment are counted: the user may have chosen groups. */
  readonly covers: (deployment: Deployment) => boolean;
}

/** What the user saw last. */
interface Snapshot {
  /** Epoch ms as of which all of it was true. */
  readonly since: number;
  /** By ID. */
  readonly deployments: ReadonlyMap<string, SeenDeployment>;
}

interface SeenDeployment {
  readonly deployment: Deployment;
  /** The keys of the problems that were not muted then. */
  readonly countedKeys: readonly string[];
}

/** A deployment before an absence and after it. */
interface Comparison {
  readonly seen: SeenDeployment;
  readonly now: Deployment;
}

/**
 * Finds the problems that came and went while the window had no focus: counts alone can be the same
 * before and after. The window reports its focus; deployments are compared once all have been read
 * again and the window has the focus. Views ask which problems are new, and report which ones the
 * user has seen.
 */
export class ChangesWhileAway extends DisposableOwner {
  private readonly found = this.own(new Emitter<AwayChanges>());
  readonly onDidFind = this.found.event;
  private readonly newChanged = this.own(new Emitter<ReadonlySet<string>>());
  /** Fires with the IDs of deployments that got new problems, or whose new problems were seen. */
  readonly onDidChangeNew = this.newChanged.event;
  /** Epoch ms; `undefined` while the window has the focus. */
  private focusLostAt: number | undefined;
  /**
   * What the user saw when the window lost the focus, until it is compared or the absence was
   * short. `undefined` if no deployment was read.
   */
  private before: Snapshot | undefined;
  /** What was seen of another organization is not compared. */
  private organizationId: string | undefined;
  /** Whether an absence was long enough, and `before` is still to be compared. */
  private hasToCompare = false;
  /** By deployment ID, the keys of new problems that the user has not seen. */
  private readonly unseenKeys = new Map<string, Set<string>>();

  constructor(
    private readonly store: Pick<
      Store,
      'cause' | 'deployments' | 'onDidChange' | 'organizationId' | 'progress'
    >,
    private readonly options: ChangesWhileAwayOptions,
  ) {
    super();
    this.organizationId = store.organizationId;
    this.own(store.onDidChange(() => this.storeChanged()));
  }

  /** The window has lost the focus. */
  focusLost(): void {
    this.focusLostAt = this.options.now();
    // What has not been compared since an earlier absence is still what the user saw last.
    this.before ??= this.snapshot();
  }

  /**
   * The window has the focus again. An absence that is shorter than the refresh interval finds
   * nothing.
   */
  focusReturned(): void {
    const { focusLostAt } = this;
    this.focusLostAt = undefined;
    if (focusLostAt === undefined || this.before === undefined) return;

    const { now, settings } = this.options;
    // By the system's time, because `elapsed` stands still while the machine sleeps. It may have
    // been set back.
    const wasLong = Math.abs(now() - focusLostAt) >= settings.refreshInterval * minute;
    if (wasLong) this.hasToCompare = true;
    if (!this.hasToCompare) this.before = undefined;
    // After a long absence the schedule reads all deployments again, and then they are compared.
    if (wasLong && settings.refreshInterval > 0) return;

    this.compareIfRead();
    // Without an interval the next refresh may come much later, and shows the changes of this
    // absence, too.
    if (wasLong) this.before ??= this.snapshot();
    this.hasToCompare = this.before !== undefined;
  }

  /** `undefined` if no deployment was read. */
  private snapshot(): Snapshot | undefined {
    const { deployments } = this.store;
    const since = oldestAsOf(deployments);
    if (since === undefined) return undefined;
    const seen = new Map<string, SeenDeployment>();
    for (const deployment of deployments) {
      const counted = unmutedProblems(deployment.answer?.findings, this.options.mutes);
      seen.set(deployment.id, { deployment, countedKeys: counted.map(({ key }) => key) });
    }
    return { since, deployments: seen };
  }

  /**
   * Returns whether the problem came while the user was away, and the user has not seen it since.
   */
  isNew(deploymentId: string, { key }: Identity): boolean {
    return this.unseenKeys.get(deploymentId)?.has(key) === true;
  }

  /** To be called when the user opens, closes, or selects these deployments' rows. */
  markSeen(deploymentIds: readonly string[]): void {
    const seenIds = deploymentIds.filter((id) => this.unseenKeys.has(id));
    if (seenIds.length === 0) return;
    for (const id of seenIds) this.unseenKeys.delete(id);
    this.newChanged.fire(new Set(seenIds));
  }

  private storeChanged(): void {
    const { organizationId } = this.store;
    if (organizationId !== this.organizationId) {
      this.organizationId = organizationId;
      this.before = undefined;
      this.hasToCompare = false;
      this.unseenKeys.clear();
    }
    this.compareIfRead();
  }

  private compareIfRead(): void {
    if (this.before === undefined || !this.hasToCompare) return;
    // Without the focus the user would not see what is found.
    if (this.focusLostAt !== undefined) return;
    const { cause, progress } = this.store;
    if (progress !== undefined || cause?.kind === 'failure') return;
    this.compareWith(this.before);
  }

  /** Reports what has changed, once all deployments have been read since. */
  private compareWith(before: Snapshot): void {
    const comparisons = this.store.deployments.flatMap((now): Comparison | [] => {
      const seen = before.deployments.get(now.id);
      return seen ? { seen, now } : [];
    });
    if (!comparisons.every(isReadSince)) return;
    this.before = undefined;
    this.hasToCompare = false;

    const idsWithNew = new Set<string>();
    const counts = { newCount: 0, changedCount: 0, fixedCount: 0 };
    for (const comparison of comparisons) {
      const { seen, now } = comparison;
      const keys = this.newProblems(comparison);
      if (keys.length > 0) {
        idsWithNew.add(now.id);
        const unseen = this.unseenKeys.get(now.id) ?? [];
        this.unseenKeys.set(now.id, new Set([...unseen, ...keys]));
      }

      if (!this.options.covers(now)) continue;
      if (isFixed(comparison)) counts.fixedCount += 1;
      if (keys.length === 0) continue;
      if (isFailing(seen.deployment)) counts.changedCount += 1;
      else counts.newCount += 1;
    }

    if (idsWithNew.size > 0) this.newChanged.fire(idsWithNew);
    const { newCount, changedCount, fixedCount } = counts;
    if (newCount + changedCount + fixedCount > 0)
      this.found.fire({ since: before.since, ...counts });
  }

  /**
   * Returns the keys of the problems that are not muted now and did not exist before. A deployment
   * without an answer before has no new problems.
   */
  private newProblems({ seen, now }: Comparison): readonly string[] {
    const answerBefore = seen.deployment.answer;
    if (!answerBefore || !now.answer || isUnreadable(now)) return [];
    // With the problems that were muted before, because the end of a mute makes no new problem.
    const problemsBefore = new Map(
      answerBefore.findings.problems.map((problem) => [problem.key, problem]),
    );
    const existed = (problem: Identity): boolean => {
      const before = problemsBefore.get(problem.key);
      return before !== undefined && canBeSame(before, problem);
    };
    const counted = unmutedProblems(now.answer.findings, this.options.mutes);
    return counted.filter((problem) => !existed(problem)).map(({ key }) => key);
  }
}

/** Returns whether the deployment was read, or its read has failed, since it was seen. */
function isReadSince({ seen: { deployment }, now }: Comparison): boolean {
  return now.answer !== deployment.answer || now.failedRead !== deployment.failedRead;
}

/**
 * Returns whether all counted problems of a failing deployment have gone. A mute does not make them
 * go.
 */
function isFixed({ seen, now }: Comparison): boolean {
  const isHealthy = now.state === 'satisfied' || now.state === 'muted';
  if (!isFailing(seen.deployment) || !isHealthy) return false;
  const keysNow = new Set(now.answer?.findings.problems.map(({ key }) => key));
  return !seen.countedKeys.some((key) => keysNow.has(key));
}

/**
 * Returns whether two problems with one key can be the same. A sign that could not be read can be
 * any.
 */
function canBeSame({ sign }: Identity, { sign: otherSign }: Identity): boolean {
  return sign === undefined || otherSign === undefined || sign === otherSign;
}
