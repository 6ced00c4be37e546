import type { DeploymentElement } from '../model/tree.js';

/**
 * What VS Code may be told of at a time. For each row that is named it goes through all rows beside it: a thousand of ten thousand
 * would hold the extension host for a quarter of a second, four times a second. So many comparisons take about ten milliseconds.
 */
const mostComparisons = 400_000;

export interface ChangedRowsOptions {
  readonly rowOf: (deploymentId: string) => DeploymentElement | undefined;
  /** Rows beside each other. */
  readonly count: () => number;
  /** Whether more changes are to come, and one at their end. */
  readonly more: () => boolean;
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

  /**
   * The rows to name now. While more is coming those that are too many wait, news before the rest; then, asking for everything once
   * is cheaper than naming them.
   */
  take(): readonly DeploymentElement[] | 'all' {
    const { rowOf, count, more, isNews } = this.options;
    const rows = [...this.ids].flatMap((id) => rowOf(id) ?? []);
    const most = Math.max(1, Math.floor(mostComparisons / Math.max(1, count())));
    if (rows.length <= most) {
      this.clear();
      return rows;
    }
    if (!more()) {
      this.clear();
      return 'all';
    }
    const news = rows.filter(isNews);
    const taken = news.length >= most ? news : [...new Set([...news, ...rows])];
    const now = taken.slice(0, most);
    for (const { deployment } of now) this.ids.delete(deployment.id);
    return now;
  }
}
