/**
 * Remembers from which organizations usable JSON has arrived since their token changed, the start
 * of the window, or the last change of route. A web page among such answers may well be the
 * platform's own error page; a web page before any of them probably is not. Sender, store, and
 * `src/check` ask it.
 */
export class AnswerHistory {
  /** IDs of organizations. */
  private readonly answered = new Set<string>();
  /** The number of the current period: each `forget` and each `forgetAll` begins another one. */
  currentPeriod = 0;

  /**
   * `period`: when the request was sent. An answer to a request of an earlier period does not
   * count.
   */
  add(organizationId: string, period = this.currentPeriod): void {
    if (period === this.currentPeriod) this.answered.add(organizationId);
  }

  has(organizationId: string): boolean {
    return this.answered.has(organizationId);
  }

  /** When an organization has another token than before. */
  forget(organizationId: string): void {
    this.answered.delete(organizationId);
    this.currentPeriod += 1;
  }

  /** After a change of route, and when network settings or the network may have changed. */
  forgetAll(): void {
    this.answered.clear();
    this.currentPeriod += 1;
  }
}
