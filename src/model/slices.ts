import type { Disposable } from './emitter.js';

/** Work that can be interrupted wherever it yields. */
export type Job = Generator<void, void, void>;

/** Work of many small pieces, done in slices: between two of them the extension host answers others, and keystrokes. */
export class Slices implements Disposable {
  /** Each call does one step; the last one takes itself out. */
  private readonly jobs = new Set<() => void>();
  private next: NodeJS.Immediate | undefined;
  /** When the slice of the current turn of the event loop ends. */
  private end: number | undefined;

  /** `length`: ms of work in one turn of the event loop; `now`: ms of a clock that is never set. */
  constructor(
    private readonly length = 5,
    private readonly now = () => performance.now(),
  ) {}

  /** What the work returns or throws in the end. It begins after what waits, and never in the event that asks for it. */
  finish<T>(work: Iterator<void, T, void>): Promise<T> {
    this.next ??= setImmediate(() => this.work());
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          const result = work.next();
          if (result.done !== true) return;
          resolve(result.value);
        } catch (error) {
          reject(error);
        }
        this.jobs.delete(step);
      };
      this.jobs.add(step);
    });
  }

  /** What `work` returns: at once if nobody waits and the slice of this turn has time left, else in a later turn. */
  soon<T>(work: () => T): T | Promise<T> {
    this.end ??= this.now() + this.length;
    // The next turn begins with a new slice, also if nothing waits for it.
    this.next ??= setImmediate(() => this.work());
    if (this.jobs.size === 0 && this.now() < this.end) return work();
    return this.finish({ next: () => ({ done: true, value: work() }) });
  }

  /** All values of what makes them one by one. */
  collect<T>(values: Iterable<T>): Promise<T[]> {
    return this.finish(collecting(values));
  }

  /** What waits is not done any more. */
  dispose(): void {
    this.jobs.clear();
  }

  private work(): void {
    this.next = undefined;
    this.end = this.now() + this.length;
    for (const step of this.jobs) while (this.jobs.has(step) && this.now() < this.end) step();
    this.end = undefined;
    if (this.jobs.size > 0) this.next ??= setImmediate(() => this.work());
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
