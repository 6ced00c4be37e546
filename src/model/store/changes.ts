import type { Disposable } from '../emitter.js';
import type { Clock } from '../time.js';

interface Options extends Clock {
  /** Least distance of two events, ms. */
  readonly interval: number;
  readonly fire: (deployments: ReadonlySet<string> | 'all') => void;
  /** Ms until the refresh under way probably ends; Infinity if none is. */
  readonly remaining: () => number;
}

/**
 * Collects changes and tells of them at most every `interval`: the first at once. An event that would come shortly before
 * a refresh ends waits for its end, so that the last one comes with the last answer and not an interval later.
 */
export class Changes implements Disposable {
  private changed: Set<string> | 'all' = new Set();
  private isPending = false;
  private lastAt = -Infinity;
  private timer: Disposable | undefined;
  private isHeld = false;

  constructor(private readonly options: Options) {}

  /** Without a deployment something else changed: progress, cause. */
  touch(deploymentId?: string): void {
    if (deploymentId !== undefined && this.changed !== 'all') this.changed.add(deploymentId);
    if (!this.isPending) this.request();
  }

  touchAll(): void {
    this.changed = 'all';
    this.touch();
  }

  /** A refresh is over, and no event waits for its end any longer. */
  refreshEnds(): void {
    if (!this.isHeld) return;
    this.stopTimer();
    this.request();
  }

  /** Tells at once what must not be shown a moment longer. */
  fireNow(): void {
    this.dispose();
    const deployments = this.changed;
    this.changed = new Set();
    this.lastAt = this.options.now();
    this.options.fire(deployments);
  }

  dispose(): void {
    this.stopTimer();
    this.isPending = false;
  }

  private request(): void {
    this.isPending = true;
    // A microtask, so that changes that are made together are told as one.
    queueMicrotask(() => this.due());
  }

  private due(): void {
    if (!this.isPending || this.timer !== undefined) return;
    const { now, interval, remaining } = this.options;
    const wait = this.lastAt + interval - now();
    this.isHeld = wait <= 0 && remaining() < interval;
    if (this.isHeld) this.wait(interval, () => this.fireNow());
    // A clock that was set back must not silence us.
    else if (wait > 0 && wait <= interval) this.wait(wait, () => this.due());
    else this.fireNow();
  }

  private wait(milliseconds: number, then: () => void): void {
    this.timer = this.options.setTimer(() => {
      this.timer = undefined;
      then();
    }, milliseconds);
  }

  private stopTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.isHeld = false;
  }
}
