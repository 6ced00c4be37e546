/** One place in an answer that could not be read, for example `accounts[3].scopes`, with what stood there. */
export interface DecodeProblem {
  readonly path: string;
  readonly expected: string;
  /** JSON type of what was found (`absent` if nothing was), never its value. */
  readonly found: 'absent' | 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';
}

/** A usable answer: what was right in it, and what had to be left out. */
export interface Answer<T> {
  readonly value: T;
  readonly problems: readonly DecodeProblem[];
  /** Epoch ms of the last byte. */
  readonly receivedAt: number;
}
