import * as vscode from 'vscode';
import type { DeploymentList } from '../../host/list/deploymentList.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Grouping, ProblemFilter } from '../../host/viewOptions.js';
import type { Disposable } from '../../model/emitter.js';
import type { Impact } from '../../model/problems/impact.js';
import type { Watches } from '../../model/problems/watches.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import { type Clock, systemClock } from '../../model/time.js';
import { childrenOf, hasChildren, type TreeElement } from '../../model/tree/elements.js';
import { firstMember, grouped } from '../../model/tree/grouped.js';
import { isShown, Roots } from '../../model/tree/roots.js';
import { takeChangedRows } from './changedRows.js';
import type { Looks, RowContext, RowLook } from './row.js';
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

type Sight = Pick<vscode.TreeView<TreeElement>, 'visible' | 'selection'>;

/** As far apart as the store's own changes. */
const betweenEvents = 250;

/** Ms for each root. During a refresh all groups are made anew, and VS Code asks for every row again, so large trees follow more slowly. */
const restOfGroup = 1;

const none: ReadonlySet<string> = new Set();

/** A kind of row without a look does not compile. */
const looks: Looks<TreeElement['kind']> = {
  ...troubleRows,
  ...deploymentRows,
  ...requirementRows,
  ...accountRows,
  ...connectionRows,
  ...groupRows,
  ...adviceRows,
};

function lookOf({ kind }: TreeElement): RowLook<TreeElement> {
  return looks[kind];
}

/** Rows for VS Code: asks the model for elements, and names the ones that changed, a few at a time. */
export class DeploymentsProvider implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly roots: Roots;
  /** Those by account, as VS Code got them last. */
  private groups: readonly TreeElement[] = [];
  private restUntil = -Infinity;
  /** What the rows that VS Code has asked for say about others too. */
  private drawn: { readonly cause: unknown; readonly impact: number };
  /** Deployments whose rows changed and that VS Code has not been told of. */
  private readonly waiting = new Set<string>();
  private later: Disposable | undefined;

  constructor(
    private readonly source: TreeSource,
    private readonly sight: Sight = { visible: true, selection: [] },
    private readonly clock: Clock = systemClock,
  ) {
    this.roots = new Roots(source.store);
    this.drawn = { cause: source.store.cause, impact: source.impact.version };
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  *rootsInSteps(): Generator<void, TreeElement[], void> {
    const { store, organizations, filter, grouping, deploymentList, impact } = this.source;
    const { untrusted } = deploymentList;
    this.drawn = { cause: store.cause, impact: impact.version };
    if (!organizations.current) {
      this.groups = [];
      return [];
    }
    if (!grouping.byAccount) return [...this.roots.all(filter, untrusted)];
    this.groups = yield* grouped(store.deployments, filter);
    this.restUntil = this.clock.now() + restOfGroup * this.groups.length;
    return [...this.roots.first(untrusted), ...this.groups];
  }

  /** Answered without making rows, because a hidden view asks too. */
  get hasRows(): boolean {
    const { organizations, filter, deploymentList, store } = this.source;
    if (!organizations.current) return false;
    if (deploymentList.untrusted || store.cause) return true;
    return store.deployments.some((deployment) => isShown(deployment, filter));
  }

  getChildren(element?: TreeElement): TreeElement[] {
    if (element) return [...childrenOf(element)];
    const roots = this.rootsInSteps();
    for (let step = roots.next(); ; step = roots.next()) if (step.done) return step.value;
  }

  getTreeItem(element: TreeElement, now: number = Date.now()): vscode.TreeItem {
    return lookOf(element).item(element, this.context(now));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    item.tooltip = lookOf(element).hover(element, this.context(Date.now()));
    return item;
  }

  private context(now: number): RowContext {
    return {
      organization: this.source.organizations.current,
      now,
      isWatched: (id) => this.source.watches.has(id),
      hasChildren,
      deploymentsWith: (accountId) => this.source.impact.count(accountId),
    };
  }

  /** The row that VS Code knows; `undefined` if the deployment has left the list, or is in no group. */
  rowOf(deploymentId: string): TreeElement | undefined {
    return this.source.grouping.byAccount ? firstMember(this.groups, deploymentId) : this.roots.of(deploymentId);
  }

  /**
   * Has VS Code ask again: for the rows of these deployments and all below them, or for everything. A row that the filter lets in
   * or takes out is a change of the root: VS Code does not hear of rows that it never got.
   */
  refresh(deployments: StoreChange): void {
    const { store, filter, grouping, impact } = this.source;
    const more = store.progress !== undefined;
    // While many answers come, each changes in how many deployments accounts are. Rows that say so are drawn again in the end.
    const isOutdated = store.cause !== this.drawn.cause || (!more && impact.version !== this.drawn.impact);
    if (deployments === 'all' || isOutdated || (!grouping.byAccount && this.roots.haveMoved(deployments, filter))) {
      this.refreshAll();
      return;
    }
    for (const id of deployments) this.waiting.add(id);
    if (grouping.byAccount) this.refreshGroups(more);
    else this.refreshRows(more);
    // While reads hang no change comes, so the rows that wait are named by a timer.
    if (this.waiting.size === 0) return;
    this.later ??= this.clock.setTimer(() => {
      this.later = undefined;
      // When somebody looks again, the view refreshes what it missed.
      if (this.sight.visible) this.refresh(none);
    }, betweenEvents);
  }

  private refreshRows(more: boolean): void {
    const rows = takeChangedRows(this.waiting, {
      rowOf: (id) => this.roots.shown(id),
      count: this.roots.shownCount,
      more,
      selection: this.sight.selection,
    });
    if (rows === 'all') this.refreshAll();
    else if (rows.length > 0) this.changed.fire([...rows]);
  }

  /** One answer can move several accounts, so all groups change together. */
  private refreshGroups(more: boolean): void {
    const mayWait = more && this.clock.now() < this.restUntil;
    if (this.waiting.size > 0 && !mayWait) this.refreshAll();
  }

  /** Has VS Code ask for one row at once, whatever else is waiting. */
  refreshRow(row: TreeElement): void {
    this.changed.fire([row]);
  }

  private refreshAll(): void {
    this.waiting.clear();
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.later?.dispose();
    this.changed.dispose();
  }
}
