/** A time-out that can stand still. */
export class Deadline {
  #total = 0;
  #spent = 0;
  #startedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `total`: ms, read at the first start. `onExpired` is told the total. */
  constructor(
    private readonly total: () => number,
    private readonly onExpired: (total: number) => void,
  ) {}

  start(): void {
    if (this.#startedAt === undefined) {
      this.#total ||= this.total();
      this.#startedAt = performance.now();
      this.#timer = setTimeout(() => this.onExpired(this.#total), this.remaining);
    }
  }

  stop(): void {
    this.#spent = this.spent;
    this.#startedAt = undefined;
    clearTimeout(this.#timer);
  }

  /** As if it had never been started. */
  reset(): void {
    this.stop();
    this.#spent = 0;
    this.#total = 0;
  }

  /** Ms. */
  get spent(): number {
    return this.#startedAt === undefined ? this.#spent : this.#spent + performance.now() - this.#startedAt;
  }

  /** Ms. */
  get remaining(): number {
    return Math.max(0, this.#total - this.spent);
  }
}
