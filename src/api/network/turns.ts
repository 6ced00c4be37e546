/** Lets so many in at once, first come, first served. */
export class Turns {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Resolves with what gives the turn back, or with nothing if the signal aborts first. */
  enter(signal: AbortSignal): Promise<(() => void) | undefined> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.delete(start);
        resolve(undefined);
      };
      const start = (): void => {
        this.#free--;
        this.#waiting.delete(start);
        signal.removeEventListener('abort', giveUp);
        resolve(() => this.#leave());
      };
      if (signal.aborted) {
        giveUp();
      } else if (this.#free > 0) {
        start();
      } else {
        this.#waiting.add(start);
        signal.addEventListener('abort', giveUp, { once: true });
      }
    });
  }

  #leave(): void {
    this.#free++;
    const [next] = this.#waiting;
    next?.();
  }
}
