/** One line of the table. */
export interface Row {
  readonly what: string;
  /** The named limit it is measured against, in the same run. */
  readonly against: string;
  readonly measured: number;
  /** At most. Absent: for information. */
  readonly target?: number;
  /** '×' for a ratio. */
  readonly unit: '×' | 'ms' | 'kB' | 'events';
  /** The medians behind it, and what else one wants to know. */
  readonly detail?: string;
}

export interface Benchmark {
  /** For `--only`. */
  readonly name: string;
  /** Rejects if it could not be measured. `short`: fewer rounds. */
  measure(short: boolean): Promise<readonly Row[]>;
}
