/** A button under a message: what to do next. */
export interface Step {
  /** Localized. */
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

/** An error whose message is already the whole localized sentence for people, with its next step. Plain text, not yet inert. */
export class UserError extends Error {
  override readonly name = 'UserError';

  constructor(
    message: string,
    readonly steps: readonly Step[] = [],
  ) {
    super(message);
  }
}
