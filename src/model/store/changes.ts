import type { Disposable } from '../base/emitter.js';
import type { Clock } from '../base/time.js';

const minDistanceMs = 250;

/**
 * Collects the changes of a store and passes them to `fire` at most every 250 ms: the first at
 * once, those that follow together.
 */
export class Changes implements Disposable {
  /** The IDs of the deployments that have changed; `undefined` while nothing waits to be fired. */
  private changed: Set<string> | 'all' | undefined;
  /** When `fire` was last called, in ms of `elapsed`. */
  private lastFiredAt = -Infinity;
  private timer: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly fire: (deployments: ReadonlySet<string> | 'all') => void,
  ) {}

  /** A deployment changed; without an ID something else did, such as the progress or the cause. */
  touch(deploymentId?: string): void {
    if (this.changed === undefined) {
      this.changed = new Set();
      // In a microtask, so that changes that are made together are fired together.
      queueMicrotask(() => this.fireWhenDue());
    }
    if (deploymentId !== undefined && this.changed !== 'all') this.changed.add(deploymentId);
  }

  touchAll(): void {
    this.touch();
    this.changed = 'all';
  }

  /**
   * Calls `fire` without waiting, even if nothing has changed: at the end of a refresh, and for a
   * change that the user must see at once.
   */
  fireNow(): void {
    const deployments = this.changed ?? new Set();
    this.reset();
    this.lastFiredAt = this.clock.elapsed();
    this.fire(deployments);
  }

  dispose(): void {
    this.reset();
  }

  private reset(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.changed = undefined;
  }

  private fireWhenDue(): void {
    if (this.changed === undefined || this.timer !== undefined) return;
    const waitMs = this.lastFiredAt + minDistanceMs - this.clock.elapsed();
    if (waitMs > 0) this.timer = this.clock.setTimer(() => this.fireNow(), waitMs);
    else this.fireNow();
  }
}
