import type { Disposable } from '../emitter.js';
import type { SetTimer } from '../time.js';

interface Options {
  readonly now: () => number;
  readonly setTimer: SetTimer;
  /** Least distance of two events, ms. */
  readonly interval: number;
  readonly fire: (deployments: ReadonlySet<string> | 'all') => void;
  /** Expected ms until the refresh under way ends, if one is. */
  readonly remaining: () => number | undefined;
}

/**
 * Collects changes and tells of them at most every `interval`: the first at once. An event that would come shortly before
 * a refresh ends waits for its end, so that the last one comes with the last answer and not an interval later.
 */
export class Changes implements Disposable {
  private changed: Set<string> | 'all' = new Set();
  private pending = false;
  private lastAt = -Infinity;
  private timer: Disposable | undefined;
  private held = false;
  private depth = 0;

  constructor(private readonly options: Options) {}

  touch(deploymentId: string): void {
    if (this.changed !== 'all') this.changed.add(deploymentId);
    this.pending = true;
  }

  touchAll(): void {
    this.changed = 'all';
    this.pending = true;
  }

  /** Something besides the deployments changed: progress, cause. */
  touchNothing(): void {
    this.pending = true;
  }

  /** Several changes that one event tells. */
  together(changes: () => void): void {
    this.depth++;
    try {
      changes();
    } finally {
      this.depth--;
    }
    this.settle();
  }

  /** Call when a change is complete. */
  settle(): void {
    if (!this.pending || this.depth > 0) return;
    const remaining = this.options.remaining();
    // Nothing more is coming, so an event that waited for the end is due.
    if (this.held && remaining === undefined) this.stopTimer();
    if (this.timer !== undefined) return;
    const elapsed = this.options.now() - this.lastAt;
    // A clock that was set back must not silence us.
    if (elapsed < this.options.interval && elapsed >= 0) this.arm(this.options.interval - elapsed, false);
    else this.due(remaining);
  }

  /** Tells at once what must not be shown a moment longer. */
  fireNow(): void {
    this.stopTimer();
    const deployments = this.changed;
    this.changed = new Set();
    this.pending = false;
    this.lastAt = this.options.now();
    this.options.fire(deployments);
  }

  dispose(): void {
    this.stopTimer();
    this.pending = false;
  }

  private due(remaining: number | undefined): void {
    if (remaining !== undefined && remaining < this.options.interval) this.arm(this.options.interval, true);
    else this.fireNow();
  }

  private arm(milliseconds: number, held: boolean): void {
    this.held = held;
    this.timer = this.options.setTimer(() => {
      this.stopTimer();
      if (!this.pending) return;
      if (held) this.fireNow();
      else this.due(this.options.remaining());
    }, milliseconds);
  }

  private stopTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
    this.held = false;
  }
}
