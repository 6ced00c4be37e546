/**
 * Knows of which organizations usable JSON has arrived since the sign-in, the start of the window, or
 * the last change of route. A web page among such answers may well be the platform's own error page;
 * one that comes before any is probably not.
 */
export class AnswerHistory {
  private readonly answered = new Set<string>();
  /** Counts the sign-ins and changes of route. A request keeps the number that was the present one as it was sent. */
  present = 0;

  /** `period`: the number as it was sent. An answer to what was sent before says nothing of now. */
  add(organizationId: string, period = this.present): void {
    if (period === this.present) this.answered.add(organizationId);
  }

  has(organizationId: string): boolean {
    return this.answered.has(organizationId);
  }

  /** After a sign-in. */
  forget(organizationId: string): void {
    this.answered.delete(organizationId);
    this.present++;
  }

  /** After a change of route. */
  forgetAll(): void {
    this.answered.clear();
    this.present++;
  }
}
