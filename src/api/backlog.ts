/**
 * Answers that have come and wait to be read. Nothing is sent while one is read: so they wait until whatever else has come is in
 * and the requests that follow are out. Then they are read in turns, and in between the extension host answers everybody else.
 */
export class Backlog {
  #waiting: (() => void)[] = [];

  /** `length`: ms of work in one turn of the event loop; `now`: ms. */
  constructor(
    private readonly length = 5,
    private readonly now = () => performance.now(),
  ) {}

  /** What `work` gives, in its turn. Rejects with what it throws. */
  do<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const count = this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (count === 1) {
        this.#begin();
      }
    });
  }

  #begin(): void {
    setImmediate(() => this.#takeTurn());
  }

  #takeTurn(): void {
    const start = this.now();
    let taken = 0;
    do {
      this.#waiting[taken++]!();
    } while (taken < this.#waiting.length && this.now() - start < this.length);
    this.#waiting = this.#waiting.slice(taken);
    if (this.#waiting.length > 0) {
      this.#begin();
    }
  }
}
