/** Why nothing is checked, for its reader. `exitCode`: 2 for what could not be read, 3 for what is not configured. */
export class Refusal extends Error {
  constructor(
    readonly exitCode: 2 | 3 | 64,
    reason: string,
  ) {
    super(reason);
  }
}

/** A refusal of the arguments, which their usage explains. */
export class WrongArguments extends Refusal {
  constructor(reason: string) {
    super(64, reason);
  }
}
