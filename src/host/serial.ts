/** Runs one piece of work after the other, whether or not the one before it failed. */
export class Serial {
  /** Resolves when the work that was added last has ended. */
  private lastWork: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as the work does. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.lastWork.then(work);
    this.lastWork = result.catch(() => undefined);
    return result;
  }
}
