/** How many inputs are remembered, since a question that is declined is never answered. */
const maxInputs = 100;

/**
 * What was asked last for each input of a tool. VS Code does not say which question an invocation answers, so of two that ask for
 * different things and are both unanswered, neither counts as agreed to.
 */
export class Consent<Q extends { readonly about: string }> {
  private readonly last = new Map<string, { readonly question: Q | undefined; readonly unanswered: number }>();

  ask(input: unknown, question: Q): void {
    const key = JSON.stringify(input ?? null);
    const before = this.last.get(key);
    const isClear = before === undefined || before.question?.about === question.about;
    this.last.delete(key);
    this.last.set(key, { question: isClear ? question : undefined, unanswered: (before?.unanswered ?? 0) + 1 });
    const [oldest = key] = this.last.keys();
    if (this.last.size > maxInputs) this.last.delete(oldest);
  }

  /** The question that was agreed to; `undefined` if it could be one of several, or none. Then the next one counts again. */
  take(input: unknown): Q | undefined {
    const key = JSON.stringify(input ?? null);
    const { question, unanswered = 0 } = this.last.get(key) ?? {};
    if (question && unanswered > 1) this.last.set(key, { question, unanswered: unanswered - 1 });
    else this.last.delete(key);
    return question;
  }
}
