import * as vscode from 'vscode';
import type { DeploymentList } from '../../host/list/deploymentList.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { ProblemFilter } from '../../host/viewOptions.js';
import { isKeptByOnlyProblems } from '../../model/deployment.js';
import type { Disposable } from '../../model/emitter.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import { type Clock, systemClock } from '../../model/time.js';
import { Children, type TreeElement } from '../../model/tree/elements.js';
import { Roots } from '../../model/tree/roots.js';
import { ChangedRows } from './changedRows.js';
import type { Looks, RowContext, RowLook } from './row.js';
import { accountRows } from './rows/account.js';
import { adviceRows } from './rows/advice.js';
import { connectionRows } from './rows/connection.js';
import { DeploymentRows } from './rows/deployment.js';
import { requirementRows } from './rows/requirement.js';
import { troubleRows } from './rows/trouble.js';

/** What the rows are made from. */
export interface TreeSource {
  readonly store: Pick<Store, 'deployments' | 'cause' | 'get' | 'progress'>;
  readonly organizations: Pick<Organizations, 'current'>;
  readonly deploymentList: Pick<DeploymentList, 'untrusted'>;
  readonly filter: Pick<ProblemFilter, 'onlyProblems'>;
}

/** What somebody looks at. */
type Sight = Pick<vscode.TreeView<TreeElement>, 'visible' | 'selection'>;

/** As far apart as the store's own changes. */
const betweenEvents = 250;

const none: ReadonlySet<string> = new Set();

/** Rows for VS Code: asks the model for elements, and names the ones that changed, a few at a time. */
export class DeploymentsProvider implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly roots: Roots;
  private readonly children = new Children();
  private readonly rows: ChangedRows;
  private later: Disposable | undefined;
  private readonly hasChildren = (element: TreeElement): boolean => this.children.has(element);
  private readonly deploymentRows = new DeploymentRows();
  /** A kind of row without a look does not compile. */
  private readonly looks: Looks<TreeElement['kind']> = {
    ...troubleRows,
    deployment: this.deploymentRows,
    ...requirementRows,
    ...accountRows,
    ...connectionRows,
    ...adviceRows,
  };

  constructor(
    private readonly source: TreeSource,
    private readonly sight: Sight = { visible: true, selection: [] },
    private readonly clock: Clock = systemClock,
  ) {
    const roots = new Roots(source.store);
    this.roots = roots;
    this.rows = new ChangedRows({
      rowOf: (id) => roots.shown(id),
      count: () => roots.shownCount,
      more: () => source.store.progress !== undefined,
      selection: () => sight.selection,
      isNews: (row) => this.deploymentRows.hasNews(row),
    });
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  private shownRoots(): readonly TreeElement[] {
    const { organizations, filter, deploymentList } = this.source;
    if (organizations.current) {
      return this.roots.all({ onlyProblems: filter.onlyProblems, untrusted: deploymentList.untrusted });
    }
    this.roots.forget();
    this.children.forget();
    return [];
  }

  /** Answered without making rows, because a hidden view asks too. */
  get hasRows(): boolean {
    const { organizations, filter, deploymentList, store } = this.source;
    if (!organizations.current) return false;
    if (deploymentList.untrusted || store.cause) return true;
    return filter.onlyProblems ? store.deployments.some(isKeptByOnlyProblems) : store.deployments.length > 0;
  }

  getChildren(element?: TreeElement): TreeElement[] {
    return [...(element ? this.children.of(element) : this.shownRoots())];
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement, now: number = Date.now()): vscode.TreeItem {
    return this.lookOf(element).item(element, this.context(now));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    const tooltip = this.lookOf(element).hover(element, this.context(Date.now()));
    // A copy, because the item is kept and given to VS Code again, and the next hover may say something else.
    return Object.assign(new vscode.TreeItem(''), item, { tooltip });
  }

  private lookOf({ kind }: TreeElement): RowLook<TreeElement> {
    return this.looks[kind];
  }

  private context(now: number): RowContext {
    return { organization: this.source.organizations.current, now, hasChildren: this.hasChildren };
  }

  /** The row that VS Code knows; `undefined` if the deployment has left the list. */
  rowOf(deploymentId: string): TreeElement | undefined {
    return this.roots.of(deploymentId);
  }

  /**
   * Has VS Code ask again: for the rows of these deployments and all below them, or for everything. A row that the filter lets in
   * or takes out is a change of the root: VS Code does not hear of rows that it never got.
   */
  refresh(deployments: StoreChange['deployments']): void {
    if (deployments === 'all' || this.roots.haveMoved(deployments, this.source.filter)) {
      this.refreshAll();
      return;
    }
    this.rows.add(deployments);
    const rows = this.rows.take();
    if (rows === 'all') this.refreshAll();
    else if (rows.length > 0) this.changed.fire([...rows]);
    if (this.rows.waiting) this.goOnLater();
  }

  /** Has VS Code ask for one row at once, whatever else is waiting. */
  refreshRow(row: TreeElement): void {
    this.changed.fire([row]);
  }

  /** While reads hang no change comes, so the rows that wait are named by a timer. */
  private goOnLater(): void {
    this.later ??= this.clock.setTimer(() => {
      this.later = undefined;
      // When somebody looks again, the view refreshes what it missed.
      if (this.sight.visible) this.refresh(none);
    }, betweenEvents);
  }

  /** To be called when the view is hidden. */
  forgetItems(): void {
    this.deploymentRows.forget();
  }

  private refreshAll(): void {
    this.rows.clear();
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.later?.dispose();
    this.changed.dispose();
  }
}
