import type { Disposable } from './emitter.js';

/** Work that can be interrupted wherever it yields. */
export type Job = Generator<void, void, void>;

/** Work of many small pieces, done in slices: between two of them the extension host answers others, and keystrokes. */
export class Slices implements Disposable {
  /** Each call does one step, and says whether it was the last. */
  private readonly jobs = new Set<() => boolean>();
  private next: NodeJS.Immediate | undefined;
  /** When the slice of the current turn of the event loop ends. */
  private end: number | undefined;

  /** `length`: ms of work in one turn of the event loop; `now`: ms of a clock that is never set. */
  constructor(
    private readonly length = 5,
    private readonly now = () => performance.now(),
  ) {}

  /** Runs a job after those that wait, never in the event that asks for it. */
  run(job: Job): void {
    this.add(() => job.next().done === true);
  }

  /** What `work` returns or throws, in its turn. */
  later<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
        return true;
      });
    });
  }

  /** What `work` returns: at once if nobody waits and the slice of this turn has time left, else in a later turn. */
  soon<T>(work: () => T): T | Promise<T> {
    if (this.jobs.size > 0) return this.later(work);
    this.end ??= this.now() + this.length;
    // The next turn begins with a new slice, also if nothing waits for it.
    this.next ??= setImmediate(() => this.work());
    return this.now() < this.end ? work() : this.later(work);
  }

  /** What the work returns or throws in the end. */
  finish<T>(work: Generator<void, T, void>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.add(() => {
        try {
          const step = work.next();
          if (step.done) resolve(step.value);
          return step.done === true;
        } catch (error) {
          reject(error);
          return true;
        }
      });
    });
  }

  /** All values of what makes them one by one. */
  collect<T>(values: Iterable<T>): Promise<T[]> {
    return this.finish(collecting(values));
  }

  /** What waits is not done any more. */
  dispose(): void {
    this.jobs.clear();
    clearImmediate(this.next);
    this.next = undefined;
  }

  private add(step: () => boolean): void {
    this.jobs.add(step);
    this.next ??= setImmediate(() => this.work());
  }

  private work(): void {
    this.next = undefined;
    const end = (this.end = this.now() + this.length);
    try {
      for (const step of this.jobs) {
        try {
          let isDone: boolean;
          do isDone = step();
          while (!isDone && this.now() < end);
          if (isDone) this.jobs.delete(step);
        } catch (error) {
          // One job's mistake must not end the others.
          this.jobs.delete(step);
          throw error;
        }
        if (this.now() >= end) break;
      }
    } finally {
      this.end = undefined;
      if (this.jobs.size > 0) this.next ??= setImmediate(() => this.work());
    }
  }
}

function* collecting<T>(values: Iterable<T>): Generator<void, T[], void> {
  const all: T[] = [];
  for (const value of values) {
    all.push(value);
    yield;
  }
  return all;
}
