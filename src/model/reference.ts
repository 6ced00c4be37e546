/** An id as a whole token in a text, from `start` up to `end`. */
export interface Reference {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/** One way through a text, finding some of the ids. */
export interface ReferencePass {
  /** Finds in the order of the text. */
  readonly isOrdered: boolean;
  /** From `from`, a position that an earlier call returned or 0, at least up to `to`: where to go on. */
  run(text: string, from: number, to: number, found: Reference[]): number;
}
