import { DisposableOwner } from '../base/disposableOwner.js';
import { Emitter } from '../base/emitter.js';
import { type Clock, minute } from '../base/time.js';
import { type Deployment, isFailing, isUnreadable, oldestReading } from '../findings/deployment.js';
import type { Identity } from '../findings/findings.js';
import { countedProblems, type Mutes } from '../findings/state.js';
import type { Store } from '../store/store.js';

/** How many deployments fail because of a problem that is new, and how many have no problem left. */
export interface AwayChanges {
  /** Epoch ms: as of when what the user saw before was true. */
  readonly since: number;
  readonly newCount: number;
  readonly fixedCount: number;
}

interface ChangesWhileAwayOptions extends Pick<Clock, 'now'> {
  readonly settings: {
    /** Minutes; 0 is off. */
    readonly refreshInterval: number;
  };
  readonly mutes: Mutes;
}

/** What the window showed when it lost the focus. */
interface Snapshot {
  /** Epoch ms. */
  readonly leftAt: number;
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
 * Finds what came and what went while the window had no focus: counts alone can be the same before and after. It is told when
 * the window loses and gets the focus, and compares at the end of the refresh that has read all anew.
 */
export class ChangesWhileAway extends DisposableOwner {
  private readonly found = this.own(new Emitter<AwayChanges>());
  readonly onDidFind = this.found.event;
  private readonly newChanged = this.own(new Emitter<ReadonlySet<string>>());
  /** Fires with the IDs of the deployments of which other problems are new now. */
  readonly onDidChangeNew = this.newChanged.event;
  private before: Snapshot | undefined;
  /** What was seen of another organization says nothing. */
  private organizationId: string | undefined;
  /** Whether the user is back from an absence that was long enough, and not all has been read since. */
  private isBack = false;
  /** By deployment, the keys of problems that are new, until the user has seen them. */
  private readonly unseen = new Map<string, Set<string>>();

  constructor(
    private readonly store: Pick<Store, 'cause' | 'deployments' | 'onDidChange' | 'organizationId' | 'progress'>,
    private readonly options: ChangesWhileAwayOptions,
  ) {
    super();
    this.organizationId = store.organizationId;
    this.own(store.onDidChange(() => this.storeChanged()));
  }

  /** The window has lost the focus. */
  left(): void {
    const { deployments } = this.store;
    const since = oldestReading(deployments);
    // What was not compared yet after the absence before is still what the user saw last.
    if (this.before !== undefined || since === undefined) return;
    const seen = deployments.map((deployment): [string, SeenDeployment] => {
      const counted = countedProblems(deployment.answer?.findings, this.options.mutes).map(({ key }) => key);
      return [deployment.id, { deployment, counted }];
    });
    this.before = { leftAt: this.options.now(), since, deployments: new Map(seen) };
  }

  /** The window has the focus again. While the user is away for less than the refresh interval, nothing is found. */
  returned(): void {
    if (this.before === undefined || this.isBack) return;
    const { now, settings } = this.options;
    // By the system's time, because the other clock stands still while the machine sleeps. It may have been set back.
    this.isBack = Math.abs(now() - this.before.leftAt) >= settings.refreshInterval * minute;
    if (!this.isBack) this.before = undefined;
  }

  /** Whether the problem came while the user was away, and was not seen since. */
  isNew(deploymentId: string, { key }: Identity): boolean {
    return this.unseen.get(deploymentId)?.has(key) === true;
  }

  /** The user has seen the problems of these deployments. */
  see(deploymentIds: readonly string[]): void {
    const seen = deploymentIds.filter((id) => this.unseen.delete(id));
    if (seen.length > 0) this.newChanged.fire(new Set(seen));
  }

  private storeChanged(): void {
    const { cause, organizationId, progress } = this.store;
    if (organizationId !== this.organizationId) {
      this.organizationId = organizationId;
      this.before = undefined;
      this.isBack = false;
      this.unseen.clear();
    }
    if (this.before && this.isBack && !progress && cause?.kind !== 'failure') this.compareWith(this.before);
  }

  private compareWith(before: Snapshot): void {
    const { deployments } = this.store;
    const pairs = deployments.flatMap((now) => {
      const seen = before.deployments.get(now.id);
      return seen ? [{ now, seen }] : [];
    });
    if (!pairs.every(({ now, seen }) => isReadSince(seen.deployment, now))) return;
    this.before = undefined;
    this.isBack = false;
    const found = new Set<string>();
    for (const { now, seen } of pairs) {
      const keys = this.newProblems(seen.deployment, now);
      if (keys.length === 0) continue;
      found.add(now.id);
      this.unseen.set(now.id, new Set([...(this.unseen.get(now.id) ?? []), ...keys]));
    }
    const fixedCount = pairs.filter(({ now, seen }) => isFixed(seen, now)).length;
    if (found.size > 0) this.newChanged.fire(found);
    if (found.size + fixedCount > 0) this.found.fire({ since: before.since, newCount: found.size, fixedCount });
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
  return now.answer !== before.answer || now.failure !== before.failure;
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
