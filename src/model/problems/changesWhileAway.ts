import { DisposableOwner } from '../base/disposableOwner.js';
import { Emitter } from '../base/emitter.js';
import { type Clock, minute } from '../base/time.js';
import { type Deployment, isFailing, isUnreadable, oldestAsOf } from '../findings/deployment.js';
import type { Identity } from '../findings/findings.js';
import { countedProblems, type Mutes } from '../findings/state.js';
import type { Store } from '../store/store.js';

/** Numbers of deployments. */
export interface AwayChanges {
  /** Epoch ms: as of when what the user saw before was true. */
  readonly since: number;
  /** Those that are failing, and were not. */
  readonly newCount: number;
  /** Those that were failing before, and have a new problem now. */
  readonly changedCount: number;
  /** Those that were failing, and have no problem left. */
  readonly fixedCount: number;
}

interface ChangesWhileAwayOptions extends Pick<Clock, 'now'> {
  readonly settings: {
    /** Minutes; 0 is off. */
    readonly refreshInterval: number;
  };
  readonly mutes: Mutes;
}

/** What the user saw last. */
interface Snapshot {
  /** Epoch ms. */
  readonly since: number;
  /** By ID. */
  readonly deployments: ReadonlyMap<string, SeenDeployment>;
}

interface SeenDeployment {
  readonly deployment: Deployment;
  /** The keys of the problems that counted then. */
  readonly counted: readonly string[];
}

/**
 * Finds what came and what went while the window had no focus: counts alone can be the same before and after. `left` and
 * `returned` tell of the focus. The deployments are compared once all have been read again and the window has the focus.
 */
export class ChangesWhileAway extends DisposableOwner {
  private readonly found = this.own(new Emitter<AwayChanges>());
  readonly onDidFind = this.found.event;
  private readonly newChanged = this.own(new Emitter<ReadonlySet<string>>());
  /** Fires with the IDs of the deployments of which other problems are new now. */
  readonly onDidChangeNew = this.newChanged.event;
  /** Epoch ms; `undefined` while the window has the focus. */
  private leftAt: number | undefined;
  /** From the moment when the window lost the focus until it is compared. */
  private before: Snapshot | undefined;
  /** What was seen of another organization says nothing. */
  private organizationId: string | undefined;
  /** Whether an absence was long enough, after which nothing has been compared yet. */
  private wasAway = false;
  /** By deployment, the keys of problems that are new, until the user has seen them. */
  private readonly unseen = new Map<string, Set<string>>();

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
    this.leftAt = this.options.now();
    // What was not compared yet after the absence before is still what the user saw last.
    this.before ??= this.snapshot();
  }

  /** The window has the focus again. While the user is away for less than the refresh interval, nothing is found. */
  focusReturned(): void {
    const { leftAt } = this;
    this.leftAt = undefined;
    if (leftAt === undefined || this.before === undefined) return;
    const { now, settings } = this.options;
    // By the system's time, because the other clock stands still while the machine sleeps. It may have been set back.
    const wasLong = Math.abs(now() - leftAt) >= settings.refreshInterval * minute;
    this.wasAway ||= wasLong;
    if (!this.wasAway) this.before = undefined;
    // After a long absence all is read again by itself, and then compared.
    if (wasLong && settings.refreshInterval > 0) return;
    this.compareIfRead();
    // Without an interval the next refresh may come much later, and has the changes of this absence, too.
    if (wasLong) this.before ??= this.snapshot();
    this.wasAway = this.before !== undefined;
  }

  private snapshot(): Snapshot | undefined {
    const { deployments } = this.store;
    const since = oldestAsOf(deployments);
    if (since === undefined) return undefined;
    const seen = deployments.map((deployment): [string, SeenDeployment] => {
      const counted = countedProblems(deployment.answer?.findings, this.options.mutes).map(
        ({ key }) => key,
      );
      return [deployment.id, { deployment, counted }];
    });
    return { since, deployments: new Map(seen) };
  }

  /** Whether the problem came while the user was away, and was not seen since. */
  isNew(deploymentId: string, { key }: Identity): boolean {
    return this.unseen.get(deploymentId)?.has(key) === true;
  }

  /** The user has seen the problems of these deployments. */
  markSeen(deploymentIds: readonly string[]): void {
    const seen = deploymentIds.filter((id) => this.unseen.delete(id));
    if (seen.length > 0) this.newChanged.fire(new Set(seen));
  }

  private storeChanged(): void {
    const { organizationId } = this.store;
    if (organizationId !== this.organizationId) {
      this.organizationId = organizationId;
      this.before = undefined;
      this.wasAway = false;
      this.unseen.clear();
    }
    this.compareIfRead();
  }

  /** Without the focus the user would not see what is found. */
  private compareIfRead(): void {
    const { cause, progress } = this.store;
    const isThere = this.wasAway && this.leftAt === undefined;
    if (this.before && isThere && !progress && cause?.kind !== 'failure')
      this.compareWith(this.before);
  }

  private compareWith(before: Snapshot): void {
    const { deployments } = this.store;
    const pairs = deployments.flatMap((now) => {
      const seen = before.deployments.get(now.id);
      return seen ? [{ now, seen }] : [];
    });
    if (!pairs.every(({ now, seen }) => isReadSince(seen.deployment, now))) return;
    this.before = undefined;
    this.wasAway = false;
    const found = new Set<string>();
    let changedCount = 0;
    for (const { now, seen } of pairs) {
      const keys = this.newProblems(seen.deployment, now);
      if (keys.length === 0) continue;
      found.add(now.id);
      if (isFailing(seen.deployment)) changedCount++;
      this.unseen.set(now.id, new Set([...(this.unseen.get(now.id) ?? []), ...keys]));
    }
    const fixedCount = pairs.filter(({ now, seen }) => isFixed(seen, now)).length;
    if (found.size > 0) this.newChanged.fire(found);
    if (found.size + fixedCount === 0) return;
    const newCount = found.size - changedCount;
    this.found.fire({ since: before.since, newCount, changedCount, fixedCount });
  }

  /** The keys of the problems that count and were not there before. What was not read then makes nothing new. */
  private newProblems(before: Deployment, now: Deployment): readonly string[] {
    if (!before.answer || !now.answer || isUnreadable(now)) return [];
    // A mute that ended is no new problem, so those that were muted before are known, too.
    const known = new Map(before.answer.findings.problems.map((problem) => [problem.key, problem]));
    const isKnown = (problem: Identity): boolean => {
      const same = known.get(problem.key);
      return same !== undefined && canBeSame(same, problem);
    };
    const counted = countedProblems(now.answer.findings, this.options.mutes);
    return counted.filter((problem) => !isKnown(problem)).map(({ key }) => key);
  }
}

/** Whether it was read, or tried, after it was seen so. */
function isReadSince(before: Deployment, now: Deployment): boolean {
  return now.answer !== before.answer || now.failedRead !== before.failedRead;
}

/** Whether none of the problems that counted is left, not even muted, and nothing is unknown. */
function isFixed({ deployment, counted }: SeenDeployment, now: Deployment): boolean {
  const isFine = now.state === 'satisfied' || now.state === 'muted';
  if (!isFailing(deployment) || !isFine) return false;
  const left = new Set(now.answer?.findings.problems.map(({ key }) => key));
  return !counted.some((key) => left.has(key));
}

/** What could not be read of a sign changes nothing. */
function canBeSame({ sign: one }: Identity, { sign: other }: Identity): boolean {
  return one === undefined || other === undefined || one === other;
}
