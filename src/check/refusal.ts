/**
 * Why the program (`src/check`) gives no verdict on any deployment. The message is for the user.
 */
export class RefusedCheck extends Error {
  /**
   * `exitCode`: 2 if something could not be read, 3 if there is nothing to check or something is
   * not configured, 64 for wrong arguments or a Node that is too old.
   */
  constructor(
    readonly exitCode: 2 | 3 | 64,
    reason: string,
  ) {
    super(reason);
  }
}

/** The arguments are wrong; the check also prints their usage. */
export class WrongArguments extends RefusedCheck {
  constructor(reason: string) {
    super(64, reason);
  }
}

/** Returns with which code the check ends because of an error, and the sentence that says why. */
export function endOf(error: unknown): { readonly exitCode: number; readonly reason: string } {
  const exitCode = error instanceof RefusedCheck ? error.exitCode : 2;
  return { exitCode, reason: error instanceof Error ? error.message : String(error) };
}
