/**
 * Why the program (`src/check`) gives no verdict on any deployment. The message is for the user.
 */
export class RefusedCheck extends Error {
  /**
   * `exitCode`: 2 if something could not be read, 3 if there is nothing to check or something is
   * not configured, 64 for wrong arguments or a Node that is too old. `details`: sentences that say
   * more, and that the user has already been told.
   */
  constructor(
    readonly exitCode: 2 | 3 | 64,
    reason: string,
    readonly details: readonly string[] = [],
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

/** Why the check gives no verdict. */
export interface End {
  readonly exitCode: number;
  readonly reason: string;
  /** Sentences that say more. */
  readonly details: readonly string[];
}

/** Returns how the check ends because of an error. */
export function endOf(error: unknown): End {
  const reason = error instanceof Error ? error.message : String(error);
  return error instanceof RefusedCheck
    ? { exitCode: error.exitCode, reason, details: error.details }
    : { exitCode: 2, reason, details: [] };
}
