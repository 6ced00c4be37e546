/** One place in an answer that could not be read, for example `accounts[3].scopes`, with what stood there. */
export interface DecodeProblem {
  readonly path: string;
  readonly expected: string;
  /** JSON type of what was found (`absent` if nothing was), never its value. */
  readonly found: 'absent' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
}

/** What had to be left out of an answer. */
export interface LeftOut {
  /** The first 100. */
  readonly problems: readonly DecodeProblem[];
  /** How many there are in all; absent if that is the length of `problems`. */
  readonly problemCount?: number;
}

export function leftOutCount({ problems, problemCount }: LeftOut): number {
  return problemCount ?? problems.length;
}

/** A usable answer: what was right in it, and what had to be left out. */
export interface Answer<T> extends LeftOut {
  readonly value: T;
  /** Epoch ms of the last byte. */
  readonly receivedAt: number;
}
