/**
 * Knows of which organizations usable JSON has arrived since the sign-in, the start of the window, or
 * the last change of route. A web page among such answers may well be the platform's own error page;
 * one that comes before any is probably not.
 */
export class AnswerHistory {
  private readonly answered = new Set<string>();

  add(organizationId: string): void {
    this.answered.add(organizationId);
  }

  has(organizationId: string): boolean {
    return this.answered.has(organizationId);
  }

  /** After a sign-in. */
  forget(organizationId: string): void {
    this.answered.delete(organizationId);
  }

  /** After a change of route. */
  forgetAll(): void {
    this.answered.clear();
  }
}
