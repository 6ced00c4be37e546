import type { Disposable } from '../emitter.js';
import type { Clock } from '../time.js';

/** Least distance of two events, ms. */
const interval = 250;

/**
 * Collects changes and tells of them at most every `interval`: the first at once. An event that would come shortly before
 * a refresh ends waits for its end, so that the last one comes with the last answer and not an interval later.
 */
export class Changes implements Disposable {
  /** What is to be told. */
  private changed: Set<string> | 'all' | undefined;
  private lastAt = -Infinity;
  private timer: Disposable | undefined;

  /** `remaining`: ms until the refresh under way probably ends; Infinity if none is. */
  constructor(
    private readonly clock: Clock,
    private readonly fire: (deployments: ReadonlySet<string> | 'all') => void,
    private readonly remaining: () => number,
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

  /** No event waits for the end of a refresh any longer. */
  refreshEnds(): void {
    this.stopTimer();
    queueMicrotask(() => this.due());
  }

  /** Tells at once what must not be shown a moment longer. */
  fireNow(): void {
    const deployments = this.changed ?? new Set();
    this.dispose();
    this.lastAt = this.clock.now();
    this.fire(deployments);
  }

  dispose(): void {
    this.stopTimer();
    this.changed = undefined;
  }

  private due(): void {
    if (this.changed === undefined || this.timer !== undefined) return;
    const wait = this.lastAt + interval - this.clock.now();
    const lookAgain = (): void => {
      this.timer = undefined;
      this.due();
    };
    // A clock that was set back must not silence us.
    if (wait > 0 && wait <= interval) this.timer = this.clock.setTimer(lookAgain, wait);
    else if (this.remaining() < interval) this.timer = this.clock.setTimer(() => this.fireNow(), interval);
    else this.fireNow();
  }

  private stopTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
