import type { Disposable } from '../model/emitter.js';

/** Milliseconds of work in one turn of the event loop. */
const turn = 10;

/**
 * VS Code asks for the rows of ten thousand deployments in one go. Those that come within a turn's time are answered at once,
 * the others in turns of their own, so that the extension host answers everybody else in between.
 */
export class Turns implements Disposable {
  private readonly waiting: (() => void)[] = [];
  private end: number | undefined;
  private next: NodeJS.Immediate | undefined;

  answer<T>(make: () => T): T | Promise<T> {
    if (this.waiting.length === 0 && !this.isOver()) return make();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(make());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Nobody is left without an answer. */
  dispose(): void {
    clearImmediate(this.next);
    for (const answer of this.waiting.splice(0)) answer();
  }

  private isOver(): boolean {
    const now = performance.now();
    if (this.end === undefined) {
      this.end = now + turn;
      this.next = setImmediate(() => this.take());
    }
    return now >= this.end;
  }

  private take(): void {
    this.end = undefined;
    let taken = 0;
    while (taken < this.waiting.length && !this.isOver()) this.waiting[taken++]!();
    this.waiting.splice(0, taken);
  }
}
