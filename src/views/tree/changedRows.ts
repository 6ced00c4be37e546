import type { DeploymentElement, TreeElement } from '../../model/tree/elements.js';

/**
 * VS Code compares each row that it is told of with all rows beside it. This many comparisons take about ten milliseconds; a thousand
 * rows among ten thousand would hold the extension host for a quarter of a second, four times a second.
 */
const mostComparisons = 400_000;
/** Each of these rows is also made and sent, and no request is sent meanwhile. Rows that nobody has on the screen can wait. */
const mostRows = 100;

interface ChangedRowsOptions {
  /** Undefined for a row that VS Code does not have: telling it of one goes through all rows for nothing. */
  readonly rowOf: (deploymentId: string) => DeploymentElement | undefined;
  /** How many rows there are beside each other. */
  readonly count: () => number;
  /** Whether more changes are to come. Then there is another one when they end. */
  readonly more: () => boolean;
  readonly selection: () => readonly TreeElement[];
  /** Whether a row says something else than when VS Code last got it, not only that it is being read. */
  readonly isNews: (row: DeploymentElement) => boolean;
}

/** Rows that changed and that VS Code has not been told of. */
export class ChangedRows {
  private readonly ids = new Set<string>();

  constructor(private readonly options: ChangedRowsOptions) {}

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
   * The rows to name now. While more is coming those that are too many wait: selected ones come first, then news, then the rest.
   * When nothing more is coming, asking for everything once is cheaper than naming them.
   */
  take(): readonly DeploymentElement[] | 'all' {
    const { rowOf, count, more, selection, isNews } = this.options;
    const rows = [...this.ids].flatMap((id) => rowOf(id) ?? []);
    const most = Math.max(1, Math.min(mostRows, Math.floor(mostComparisons / Math.max(1, count()))));
    if (rows.length <= most) {
      this.clear();
      return rows;
    }
    if (!more()) {
      this.clear();
      return 'all';
    }
    const selected = new Set(selection());
    const first = [...rows.filter((row) => selected.has(row)), ...rows.filter(isNews), ...rows];
    const now = [...new Set(first)].slice(0, most);
    for (const { deployment } of now) this.ids.delete(deployment.id);
    return now;
  }
}
