import * as vscode from 'vscode';
import type { DeploymentList } from '../../host/list/deploymentList.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Grouping, ProblemFilter } from '../../host/viewOptions.js';
import { isUnreadable } from '../../model/deployment.js';
import type { Impact } from '../../model/problems/impact.js';
import type { Watches } from '../../model/problems/watches.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import { type Clock, systemClock } from '../../model/time.js';
import {
  childrenOf,
  type DrawnElement,
  hasChildren,
  type RootElement,
  type TreeElement,
} from '../../model/tree/elements.js';
import { firstMember, grouped } from '../../model/tree/grouped.js';
import { firstRows, isShown, rootOf } from '../../model/tree/roots.js';
import { grayed, type RowContext, type RowLook, treeItem } from './row.js';
import { accountRows } from './rows/account.js';
import { adviceRows } from './rows/advice.js';
import { connectionRows } from './rows/connection.js';
import { deploymentRows } from './rows/deployment.js';
import { groupRows } from './rows/group.js';
import { requirementRows } from './rows/requirement.js';
import { troubleRows } from './rows/trouble.js';

/** What the rows are made from. */
export interface TreeSource {
  readonly store: Pick<Store, 'deployments' | 'cause' | 'get' | 'progress'>;
  readonly organizations: Pick<Organizations, 'current'>;
  readonly deploymentList: Pick<DeploymentList, 'untrusted'>;
  readonly filter: Pick<ProblemFilter, 'onlyProblems'>;
  readonly watches: Pick<Watches, 'has'>;
  readonly grouping: Pick<Grouping, 'byAccount'>;
  readonly impact: Pick<Impact, 'count' | 'version'>;
}

/** VS Code compares each row that is named with all rows beside it, so to ask for all is faster than to name more. */
const maxNamedRows = 500;

/** A kind of row without a look does not compile. */
const looks: Readonly<Record<DrawnElement['kind'], RowLook<DrawnElement>>> = {
  ...troubleRows,
  ...deploymentRows,
  ...requirementRows,
  ...accountRows,
  ...connectionRows,
  ...groupRows,
  ...adviceRows,
};

/** Rows for VS Code: asks the model for elements, and tells VS Code which ones changed. */
export class DeploymentsProvider implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  /** The roots that VS Code got last: by deployment, or the accounts. A deployment keeps its object, by which VS Code knows it. */
  private roots = new Map<string, RootElement>();
  private groups: readonly TreeElement[] = [];
  /** What rows say besides their own deployment, as it was when VS Code last asked for all of them. */
  private drawn: { readonly cause: unknown; readonly impact: number };

  constructor(
    private readonly source: TreeSource,
    private readonly clock: Clock = systemClock,
  ) {
    this.drawn = this.toDraw();
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  getChildren(element?: TreeElement): TreeElement[] {
    if (element) return [...childrenOf(this.withData(element))];
    const { store, organizations, filter, grouping, deploymentList } = this.source;
    const before = this.roots;
    this.drawn = this.toDraw();
    this.roots = new Map();
    this.groups = [];
    if (!organizations.current) return [];
    const first = firstRows(store.cause, deploymentList.untrusted);
    if (grouping.byAccount) {
      this.groups = grouped(store.deployments, filter);
      return [...first, ...this.groups];
    }
    for (const deployment of store.deployments) {
      const { id } = deployment;
      if (isShown(deployment, filter)) this.roots.set(id, before.get(id) ?? rootOf(id));
    }
    return [...first, ...this.roots.values()];
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    const drawn = this.withData(element);
    const row = looks[drawn.kind].row(drawn, this.context());
    return treeItem(element.id, showsOldData(drawn) ? grayed(row) : row, hasChildren(drawn));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    item.tooltip = looks[element.kind].hover(this.withData(element), this.context());
    return item;
  }

  /** The row that VS Code knows; `undefined` if the deployment has left the list, or is in no group. */
  rowOf(deploymentId: string): TreeElement | undefined {
    const { store, grouping } = this.source;
    if (grouping.byAccount) return firstMember(this.groups, deploymentId);
    return store.get(deploymentId) && (this.roots.get(deploymentId) ?? rootOf(deploymentId));
  }

  /**
   * Has VS Code ask again: for the rows of these deployments and all below them, or for everything. A row that the filter lets in
   * or takes out is a change of everything, because VS Code passes over rows that it never got.
   */
  refresh(deployments: StoreChange): void {
    const { store, filter, grouping, impact } = this.source;
    // While many answers come, each changes in how many deployments accounts are. Rows that say so are drawn again in the end.
    const isOutdated =
      store.cause !== this.drawn.cause || (store.progress === undefined && impact.version !== this.drawn.impact);
    if (deployments === 'all' || isOutdated) return this.changed.fire(undefined);
    const listed = [...deployments].flatMap((id) => store.get(id) ?? []);
    const hasMoved = listed.some((one) => this.roots.has(one.id) !== isShown(one, filter));
    // One answer can move several accounts, so all groups change together.
    if (grouping.byAccount ? listed.length > 0 : hasMoved) return this.changed.fire(undefined);
    const rows = listed.flatMap(({ id }) => this.roots.get(id) ?? []);
    if (rows.length > 0) this.changed.fire(rows.length > maxNamedRows ? undefined : rows);
  }

  /** Has VS Code ask for one row. */
  refreshRow(row: TreeElement): void {
    this.changed.fire([row]);
  }

  dispose(): void {
    this.changed.dispose();
  }

  /** VS Code may still have a row whose deployment left the list. It shows nothing of what was read. */
  private withData(element: TreeElement): DrawnElement {
    if (element.kind !== 'deployment') return element;
    const { id } = element.deployment;
    const gone = { id, name: id, state: 'notYetRead', activity: 'idle' } as const;
    return { ...element, deployment: this.source.store.get(id) ?? gone };
  }

  private toDraw(): DeploymentsProvider['drawn'] {
    const { store, impact } = this.source;
    return { cause: store.cause, impact: impact.version };
  }

  private context(): RowContext {
    const { organizations, watches, impact } = this.source;
    return { organization: organizations.current, now: this.clock.now(), watches, impact };
  }
}

/** Whether a row below a deployment says what was read before its last read failed. */
function showsOldData(element: DrawnElement): boolean {
  if (!('deployment' in element) || element.kind === 'failure') return false;
  return element.kind !== 'deployment' && element.kind !== 'member' && isUnreadable(element.deployment);
}
