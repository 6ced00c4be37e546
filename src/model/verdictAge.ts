import { whenOver } from '../api/timers.js';
import { DisposableOwner } from './base/disposableOwner.js';
import { type Disposable, Emitter, type Event } from './base/emitter.js';
import { type Clock, halfDay, minute } from './base/time.js';
import { oldestAsOf } from './findings/deployment.js';
import type { MyGroups } from './myGroups.js';
import type { Store } from './store/store.js';

interface RefreshSettings {
  /** In minutes; 0 is off. */
  readonly refreshInterval: number;
  readonly onDidChange: Event<void>;
}

/** What the counts are made of, and when they are read again. */
interface VerdictSources {
  readonly store: Pick<Store, 'cause' | 'onDidChange'>;
  /** Knows which deployments the counts cover. */
  readonly myGroups: Pick<MyGroups, 'deployments' | 'onDidChange'>;
  readonly settings: RefreshSettings;
}

/**
 * How much older than the interval the counts may be: a round takes a while, and waits after a long
 * one.
 */
const graceMs = 5 * minute;

/**
 * Decides whether the counts of deployments are too old to be shown as those of now. A window
 * without the focus reads nothing, so the view's header, the status bar, and the badge ask this as
 * of when the counts were true.
 */
export class VerdictAge extends DisposableOwner {
  private readonly changed = this.own(new Emitter<void>());
  /**
   * Fires when only time has passed: the counts have become old, or their time of day could now be
   * taken for that of another day.
   */
  readonly onDidChange = this.changed.event;
  private timer: Disposable | undefined;

  constructor(
    private readonly sources: VerdictSources,
    private readonly clock: Pick<Clock, 'now' | 'setTimer'>,
  ) {
    super();
    const { store, myGroups, settings } = sources;
    for (const source of [store, myGroups, settings])
      this.own(source.onDidChange(() => this.wait()));
    this.own({ dispose: () => this.timer?.dispose() });
    this.wait();
  }

  /**
   * Epoch ms as of which the counts are to be shown. During an outage always the time of the newest
   * answer before it; otherwise, once the oldest answer is old, its time. `undefined` if the counts
   * are current, or nothing was read.
   */
  get asOf(): number | undefined {
    const { store, myGroups } = this.sources;
    if (store.cause?.kind === 'failure') return store.cause.asOf;
    const oldest = oldestAsOf(myGroups.deployments);
    return oldest !== undefined && this.isOld(oldest) ? oldest : undefined;
  }

  private get maxAgeMs(): number {
    return this.sources.settings.refreshInterval * minute + graceMs;
  }

  /** `at`: epoch ms. */
  private isOld(at: number): boolean {
    return this.ageMs(at) >= this.maxAgeMs;
  }

  /**
   * `at`: epoch ms. If the system's time was set back, `at` lies in the future. How old it is
   * cannot be known then, so its distance counts.
   */
  private ageMs(at: number): number {
    return Math.abs(this.clock.now() - at);
  }

  /** Sets a timer for the next age at which something else is shown. */
  private wait(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const oldest = oldestAsOf(this.sources.myGroups.deployments);
    if (oldest === undefined) return;

    const changesAtMs = this.isOld(oldest)
      ? [halfDay, midnightAfter(oldest) - oldest]
      : [this.maxAgeMs];
    const nextMs = Math.min(...changesAtMs.filter((ageMs) => ageMs > this.ageMs(oldest)));
    if (nextMs === Infinity) return;
    this.timer = whenOver(
      () => nextMs - this.ageMs(oldest),
      () => this.ageReached(),
      this.clock.setTimer,
    );
  }

  private ageReached(): void {
    this.wait();
    this.changed.fire();
  }
}

/** `at`: epoch ms, as is the result. Midnight in the time zone of this machine. */
function midnightAfter(at: number): number {
  return new Date(at).setHours(24, 0, 0, 0);
}
