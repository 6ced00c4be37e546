/**
 * Remembers from which organizations usable JSON has arrived since the sign-in, the start of the
 * window, or the last change of route. A web page among such answers may well be the platform's own
 * error page; a web page before any of them probably is not. Sender and sign-in ask it.
 */
export class AnswerHistory {
  /** IDs of organizations. */
  private readonly answered = new Set<string>();
  /** The number of the current period: each sign-in and each change of route begins another one. */
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

  /** After a sign-in. */
  forget(organizationId: string): void {
    this.answered.delete(organizationId);
    this.currentPeriod += 1;
  }

  /** After a change of route. */
  forgetAll(): void {
    this.answered.clear();
    this.currentPeriod += 1;
  }
}
