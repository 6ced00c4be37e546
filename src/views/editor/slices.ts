import type { Disposable } from '../../model/emitter.js';

/** Work that can be interrupted wherever it yields. */
export type Job = Generator<void, void, void>;

/** Milliseconds that are worked at a time: between two slices the extension host answers others, and keystrokes. */
const slice = 8;

/** One job after the other, none of them in the event that asked for it. */
export class Slices implements Disposable {
  private readonly jobs: Job[] = [];
  private next: NodeJS.Immediate | undefined;

  run(job: Job): void {
    this.jobs.push(job);
    this.next ??= setImmediate(() => this.work());
  }

  dispose(): void {
    this.jobs.length = 0;
    clearImmediate(this.next);
  }

  private work(): void {
    const end = performance.now() + slice;
    try {
      for (let job = this.jobs[0]; job !== undefined; job = this.jobs[0]) {
        // Out of the queue before it can throw: one job's mistake is not the others'.
        this.jobs.shift();
        if (job.next().done !== true) this.jobs.unshift(job);
        if (performance.now() >= end) break;
      }
    } finally {
      this.next = this.jobs.length > 0 ? setImmediate(() => this.work()) : undefined;
    }
  }
}
