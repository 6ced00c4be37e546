import type { ReadOutcome } from './reads.js';

export interface BulkRefreshOptions {
  /** Reads handed out at a time. */
  readonly window: number;
  readonly want: (deploymentId: string, ended: (outcome: ReadOutcome) => void) => () => void;
  /** Not to be asked any more: it left the list, or was read since this refresh began. */
  readonly isDone: (deploymentId: string) => boolean;
  readonly finished: () => void;
}

/** Reads many, a window at a time, so that ten thousand don't wait as ten thousand promises and sockets' queue entries. */
export class BulkRefresh {
  readonly promise: Promise<void>;
  /** Somebody asked for it without a signal: then no signal of an automatic round ends it. */
  kept = false;
  private readonly members = new Set<string>();
  private queue: string[] = [];
  private next = 0;
  private done = 0;
  private readonly underWay = new Map<string, () => void>();
  private ended = false;
  private resolve!: () => void;

  constructor(
    private readonly options: BulkRefreshOptions,
    private readonly startedAt: number,
  ) {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.done, total: this.members.size };
  }

  add(deploymentIds: readonly string[]): void {
    for (const deploymentId of deploymentIds) {
      if (this.members.has(deploymentId)) continue;
      this.members.add(deploymentId);
      this.queue.push(deploymentId);
    }
    this.pump();
  }

  /** What is not asked yet is left alone; what has arrived stays. */
  cancel(): void {
    this.queue = [];
    this.next = 0;
    for (const [deploymentId, leave] of this.underWay) {
      this.underWay.delete(deploymentId);
      leave();
    }
    this.pump();
  }

  /** Milliseconds to the end at the pace so far. */
  remaining(now: number): number {
    return this.done === 0 ? Infinity : ((now - this.startedAt) * (this.members.size - this.done)) / this.done;
  }

  private pump(): void {
    while (!this.ended && this.underWay.size < this.options.window && this.next < this.queue.length) {
      const deploymentId = this.queue[this.next++] ?? '';
      if (this.options.isDone(deploymentId)) {
        this.done++;
        continue;
      }
      const leave = this.options.want(deploymentId, () => {
        this.done++;
        this.underWay.delete(deploymentId);
        this.pump();
      });
      this.underWay.set(deploymentId, leave);
    }
    if (this.ended || this.underWay.size > 0 || this.next < this.queue.length) return;
    this.ended = true;
    this.options.finished();
    this.resolve();
  }
}
