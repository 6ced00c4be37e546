// What a benchmark yields.
import { type Comparison, ms } from './compare.js';
import type { Windows } from './windows.js';

/** One line of the table. */
export interface Row {
  readonly what: string;
  /** The named limit it is measured against, in the same run. */
  readonly against: string;
  readonly measured: number;
  /** At most. */
  readonly target: number;
  /** '×' for a ratio. */
  readonly unit: '×' | 'ms';
  /** The medians behind it, and what else one wants to know. */
  readonly detail: string;
}

/** Rejects if it could not be measured. `short`: fewer rounds. */
export type Benchmark = (short: boolean, windows: Windows) => Promise<readonly Row[]>;

export function ratioRow(
  what: string,
  against: string,
  target: number,
  { ratio, ours, limit }: Comparison,
): Row {
  return {
    what,
    against,
    measured: ratio,
    target,
    unit: '×',
    detail: `${ms(ours)} : ${ms(limit)}`,
  };
}
