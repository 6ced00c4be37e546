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

/** Deployments whose rows changed and that VS Code has not been told of. */
export class ChangedRows {
  private readonly ids = new Set<string>();

  add(deploymentIds: Iterable<string>): void {
    for (const id of deploymentIds) this.ids.add(id);
  }

  clear(): void {
    this.ids.clear();
  }

  get waiting(): boolean {
    return this.ids.size > 0;
  }

  /**
   * The rows to name now. While more is coming, those that are too many wait, selected ones not. When nothing more is coming, asking
   * for everything once is cheaper than naming them.
   */
  take({ rowOf, count, more, selection }: Situation): readonly DeploymentElement[] | 'all' {
    const rows = [...this.ids].flatMap((id) => rowOf(id) ?? []);
    const most = Math.max(1, Math.min(mostRows, Math.floor(mostComparisons / Math.max(1, count))));
    if (rows.length <= most || !more) {
      this.clear();
      return rows.length <= most ? rows : 'all';
    }
    const selected = new Set(selection);
    const now = [...new Set([...rows.filter((row) => selected.has(row)), ...rows])].slice(0, most);
    for (const { deployment } of now) this.ids.delete(deployment.id);
    return now;
  }
}
