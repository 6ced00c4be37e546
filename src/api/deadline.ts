/** A time-out that can stand still. */
export class Deadline {
  private total = 0;
  private spentBefore = 0;
  private startedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  /** `limit`: ms, read at the first start. `onExpired` is told the limit. */
  constructor(
    private readonly limit: () => number,
    private readonly onExpired: (limit: number) => void,
  ) {}

  start(): void {
    if (this.startedAt !== undefined) return;
    this.total ||= this.limit();
    this.startedAt = performance.now();
    this.timer = setTimeout(() => this.onExpired(this.total), this.remaining);
  }

  stop(): void {
    this.spentBefore = this.spent;
    this.startedAt = undefined;
    clearTimeout(this.timer);
  }

  /** Ms. */
  get spent(): number {
    return this.startedAt === undefined ? this.spentBefore : this.spentBefore + performance.now() - this.startedAt;
  }

  /** Ms. */
  get remaining(): number {
    return Math.max(0, this.total - this.spent);
  }
}
