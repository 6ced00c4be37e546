import type { Disposable } from '../base/emitter.js';
import type { Clock } from '../base/time.js';

const minDistanceMs = 250;

/** Collects changes and fires an event at most every 250 ms: the first at once. */
export class Changes implements Disposable {
  private changed: Set<string> | 'all' | undefined;
  private lastAt = -Infinity;
  private timer: Disposable | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly fire: (deployments: ReadonlySet<string> | 'all') => void,
  ) {}

  /** Without a deployment something else changed: progress, cause. */
  touch(deploymentId?: string): void {
    if (this.changed === undefined) {
      this.changed = new Set();
      // In a microtask, so that changes that are made together are told as one.
      queueMicrotask(() => this.due());
    }
    if (deploymentId !== undefined && this.changed !== 'all') this.changed.add(deploymentId);
  }

  touchAll(): void {
    this.touch();
    this.changed = 'all';
  }

  /** Tells at once: that a refresh is over, and what must not be shown a moment longer. */
  fireNow(): void {
    const deployments = this.changed ?? new Set();
    this.dispose();
    this.lastAt = this.clock.elapsed();
    this.fire(deployments);
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.changed = undefined;
  }

  private due(): void {
    if (this.changed === undefined || this.timer !== undefined) return;
    const wait = this.lastAt + minDistanceMs - this.clock.elapsed();
    if (wait > 0) this.timer = this.clock.setTimer(() => this.fireNow(), wait);
    else this.fireNow();
  }
}
