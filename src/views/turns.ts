import type { Disposable } from '../model/emitter.js';

/**
 * VS Code asks for the rows of ten thousand deployments in one go. Those that come within a turn's time are answered at once,
 * the others in turns of their own, so that the extension host answers everybody else in between.
 */
export class Turns implements Disposable {
  private readonly waiting: ((now: number) => void)[] = [];
  /** Epoch ms. One look at the clock serves for the row's age as well: for a row that is kept it costs as much as all else. */
  private start: number | undefined;
  private next: NodeJS.Immediate | undefined;

  /** `length`: milliseconds of work in one turn of the event loop. */
  constructor(private readonly length = 5) {}

  answer<T>(make: (now: number) => T): T | Promise<T> {
    const asked = Date.now();
    if (this.waiting.length === 0 && !this.isOver(asked)) return make(asked);
    return new Promise((resolve, reject) => {
      this.waiting.push((now) => {
        try {
          resolve(make(now));
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Nobody is left without an answer. */
  dispose(): void {
    clearImmediate(this.next);
    for (const answer of this.waiting.splice(0)) answer(Date.now());
  }

  private isOver(now: number): boolean {
    if (this.start === undefined) {
      this.start = now;
      this.next = setImmediate(() => this.take());
    }
    // A clock that was put back ends the turn too.
    return now < this.start || now >= this.start + this.length;
  }

  private take(): void {
    this.start = undefined;
    let taken = 0;
    for (let now = Date.now(); taken < this.waiting.length && !this.isOver(now); now = Date.now()) {
      this.waiting[taken++]!(now);
    }
    this.waiting.splice(0, taken);
  }
}
