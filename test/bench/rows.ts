// What a benchmark yields, and the table of it.
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

export function ratioRow(what: string, against: string, target: number, { ratio, ours, limit }: Comparison): Row {
  return { what, against, measured: ratio, target, unit: '×', detail: `${ms(ours)} : ${ms(limit)}` };
}

/** As Markdown, so that it can be pasted. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ what, against, measured, target, unit, detail }) => [
    what,
    against,
    value(measured, unit),
    value(target, unit),
    measured <= target ? 'yes' : 'NO',
    detail,
  ]);
  const all = [['what', 'against', 'measured', 'target', 'met?', 'medians'], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  const lines = all.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

function value(amount: number, unit: Row['unit']): string {
  return `${Number.isInteger(amount) ? amount : amount.toFixed(amount < 10 ? 2 : 1)} ${unit}`;
}
