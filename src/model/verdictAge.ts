import { whenOver } from '../api/timers.js';
import { DisposableOwner } from './base/disposableOwner.js';
import { type Disposable, Emitter, type Event } from './base/emitter.js';
import { type Clock, halfDay, minute } from './base/time.js';
import { oldestAsOf } from './findings/deployment.js';
import type { Store } from './store/store.js';

interface RefreshSettings {
  /** Minutes; 0 is off. */
  readonly refreshInterval: number;
  readonly onDidChange: Event<void>;
}

/** A round takes a while, and begins a while after the interval where the one before took long. */
const graceMs = 5 * minute;

/**
 * Knows as of when the counts of all deployments were true, once that is too long ago for counts of now. A window
 * without the focus reads nothing, so header, status bar, and badge ask this what to say.
 */
export class VerdictAge extends DisposableOwner {
  private readonly changed = this.own(new Emitter<void>());
  /** Fires when only time has passed: the counts got old, or their time of day could be that of another day. */
  readonly onDidChange = this.changed.event;
  private timer: Disposable | undefined;

  constructor(
    private readonly store: Pick<Store, 'cause' | 'deployments' | 'onDidChange'>,
    private readonly settings: RefreshSettings,
    private readonly clock: Pick<Clock, 'now' | 'setTimer'>,
  ) {
    super();
    this.own(store.onDidChange(() => this.wait()));
    this.own(settings.onDidChange(() => this.wait()));
    this.own({ dispose: () => this.timer?.dispose() });
    this.wait();
  }

  /** Epoch ms. `undefined`: the counts are those of now, or nothing was read. In an outage as its cause says it. */
  get asOf(): number | undefined {
    const { cause, deployments } = this.store;
    if (cause?.kind === 'failure') return cause.asOf;
    const oldest = oldestAsOf(deployments);
    return oldest !== undefined && this.age(oldest) >= this.maxAgeMs ? oldest : undefined;
  }

  private get maxAgeMs(): number {
    return this.settings.refreshInterval * minute + graceMs;
  }

  /** When the clock was set back, a reading lies in the future. How old it is cannot be known then, so its distance counts. */
  private age(at: number): number {
    return Math.abs(this.clock.now() - at);
  }

  private wait(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const oldest = oldestAsOf(this.store.deployments);
    if (oldest === undefined) return;
    const isOld = this.age(oldest) >= this.maxAgeMs;
    const ages = isOld ? [halfDay, midnightAfter(oldest) - oldest] : [this.maxAgeMs];
    const next = Math.min(...ages.filter((age) => age > this.age(oldest)));
    if (next === Infinity) return;
    this.timer = whenOver(
      () => next - this.age(oldest),
      () => this.passed(),
      this.clock.setTimer,
    );
  }

  private passed(): void {
    this.wait();
    this.changed.fire();
  }
}

/** `at`: epoch ms, as is the result, in the time zone of this machine. */
function midnightAfter(at: number): number {
  return new Date(at).setHours(24, 0, 0, 0);
}
