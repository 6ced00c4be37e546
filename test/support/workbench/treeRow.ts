import { type Expected, fits } from './pageObject.js';

export type TreeRow = ReturnType<typeof readRows>[number];

/** Names a row: by its label, or by more. `under` is the nearest row above it with a lower level. */
export type RowQuery =
  | Expected
  | {
      readonly label?: Expected;
      readonly description?: Expected;
      readonly spoken?: Expected;
      readonly level?: number;
      readonly under?: Expected;
    };

/** Runs in the page. */
export function readRows(rows: readonly Element[]) {
  return rows
    .map((row) => {
      const expanded = row.getAttribute('aria-expanded');
      const icon = row.querySelector('.custom-view-tree-node-item-icon')?.className ?? '';
      return {
        label: row.querySelector('.monaco-icon-label .label-name')?.textContent ?? '',
        description: row.querySelector('.monaco-icon-label .label-description')?.textContent ?? '',
        ariaLabel: row.getAttribute('aria-label') ?? '',
        /** 1: at the root. */
        level: Number(row.getAttribute('aria-level')),
        /** `undefined`: it has no children. */
        expanded: expanded === null ? undefined : expanded === 'true',
        selected: row.className.split(' ').includes('selected'),
        focused: row.className.split(' ').includes('focused'),
        // Beside the icon's own name there may be `codicon-modifier-spin` or, without a color, `codicon-colored`.
        icon: /codicon-(?!modifier|colored)([\w-]+)/.exec(icon)?.[1] ?? '',
        index: Number(row.getAttribute('data-index')),
      };
    })
    .toSorted((one, other) => one.index - other.index);
}

export function findRow(rows: readonly TreeRow[], query: RowQuery): TreeRow | undefined {
  const wanted = typeof query === 'string' || query instanceof RegExp ? { label: query } : query;
  return rows.find((row, index) => {
    const parent = rows.slice(0, index).findLast((above) => above.level < row.level);
    return (
      (wanted.label === undefined || fits(row.label, wanted.label)) &&
      (wanted.description === undefined || fits(row.description, wanted.description)) &&
      (wanted.spoken === undefined || fits(row.ariaLabel, wanted.spoken)) &&
      (wanted.level === undefined || row.level === wanted.level) &&
      (wanted.under === undefined || (parent !== undefined && fits(parent.label, wanted.under)))
    );
  });
}
