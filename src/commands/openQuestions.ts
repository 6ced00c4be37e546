interface OpenQuestion<Q> {
  /** Every question that was asked about this input while others about it were still open, by what it is about. */
  readonly asked: Map<string, Q>;
  /** How many of them nobody has answered yet. */
  open: number;
}

/** Inputs of which the questions are kept: those that nobody answered are not kept for ever. */
const mostInputs = 100;

/**
 * What people were asked to agree to, by the input of the tool. VS Code doesn't tell which question an invocation answers: if
 * those that are open about its input differ, none of them is known to be the one that was agreed to.
 */
export class OpenQuestions<Q extends { readonly about: string }> {
  private readonly byInput = new Map<string, OpenQuestion<Q>>();

  add(input: unknown, question: Q): void {
    const key = keyOf(input);
    const before = this.byInput.get(key);
    const entry = before !== undefined && before.open > 0 ? before : { asked: new Map<string, Q>(), open: 0 };
    entry.asked.set(question.about, question);
    entry.open += 1;
    this.byInput.delete(key);
    this.byInput.set(key, entry);
    const [oldest = key] = this.byInput.keys();
    if (this.byInput.size > mostInputs) this.byInput.delete(oldest);
  }

  /** The question that was agreed to; `undefined` if it could be one of several, or none. */
  take(input: unknown): Q | undefined {
    const entry = this.byInput.get(keyOf(input));
    if (entry === undefined) return undefined;
    entry.open = Math.max(0, entry.open - 1);
    const [question, another] = entry.asked.values();
    return another === undefined ? question : undefined;
  }
}

function keyOf(input: unknown): string {
  return JSON.stringify(input) ?? '';
}
