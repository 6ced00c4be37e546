import type { DeploymentElement, TreeElement } from '../../model/tree/elements.js';

/**
 * VS Code compares each row that it is told of with all rows beside it. This many comparisons take about ten milliseconds; a thousand
 * rows among ten thousand would hold the extension host for a quarter of a second, four times a second.
 */
const mostComparisons = 400_000;
/** Each of these rows is also made and sent, and no request is sent meanwhile. Rows that nobody has on the screen can wait. */
const mostRows = 100;

interface Situation {
  /** Undefined for a row that VS Code does not have: telling it of one goes through all rows for nothing. */
  readonly rowOf: (deploymentId: string) => DeploymentElement | undefined;
  /** How many rows there are beside each other. */
  readonly count: number;
  /** Whether more changes are to come. Then there is another one when they end. */
  readonly more: boolean;
  readonly selection: readonly TreeElement[];
}

/**
 * The rows of changed deployments to name now; those that are too many wait in `changed` while more is coming, selected ones not. When
 * nothing more is coming, asking for everything once is cheaper than naming them.
 */
export function takeChangedRows(
  changed: Set<string>,
  { rowOf, count, more, selection }: Situation,
): readonly DeploymentElement[] | 'all' {
  const selected = new Set(selection);
  const place = (row: DeploymentElement) => (selected.has(row) ? 0 : 1);
  const rows = [...changed].flatMap((id) => rowOf(id) ?? []).toSorted((a, b) => place(a) - place(b));
  const most = Math.max(1, Math.min(mostRows, Math.floor(mostComparisons / Math.max(1, count))));
  if (rows.length > most && !more) return 'all';
  changed.clear();
  for (const { deployment } of rows.slice(most)) changed.add(deployment.id);
  return rows.slice(0, most);
}
