import type { Row } from './benchmark.js';

/** As Markdown, so that it can be pasted. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.against,
    value(row.measured, row.unit),
    row.target === undefined ? '–' : value(row.target, row.unit),
    row.target === undefined ? '–' : row.measured <= row.target ? 'yes' : 'NO',
    row.detail ?? '',
  ]);
  const all = [['what', 'against', 'measured', 'target', 'met?', 'medians'], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  const lines = all.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`);
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines.join('\n');
}

function value(amount: number, unit: Row['unit']): string {
  const text = Number.isInteger(amount) ? String(amount) : amount.toFixed(amount < 10 ? 2 : 1);
  return unit === '×' ? `${text} ×` : `${text} ${unit}`;
}
