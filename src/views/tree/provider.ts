import * as vscode from 'vscode';
import type { DeploymentList } from '../../host/list/deploymentList.js';
import type { Organizations } from '../../host/organizations/organizations.js';
import type { Grouping, ProblemFilter } from '../../host/viewOptions.js';
import { type Deployment, isUnreadable } from '../../model/deployment.js';
import type { Disposable } from '../../model/emitter.js';
import type { Impact } from '../../model/problems/impact.js';
import type { Watches } from '../../model/problems/watches.js';
import type { Store, StoreChange } from '../../model/store/store.js';
import { type Clock, systemClock } from '../../model/time.js';
import { childrenOf, hasChildren, type TreeElement } from '../../model/tree/elements.js';
import { firstMember, grouped } from '../../model/tree/grouped.js';
import { Roots } from '../../model/tree/roots.js';
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

type Sight = Pick<vscode.TreeView<TreeElement>, 'visible' | 'selection'>;

/**
 * Ms, more than there are between the store's events: while events come, each of them names rows that wait, and the timer does so
 * only when none comes any more.
 */
const betweenEvents = 300;
/**
 * About as many as a screen shows: the others can wait. Each is made and sent, and VS Code compares it with all rows beside it, which
 * takes ten milliseconds for these among ten thousand. No request is sent meanwhile.
 */
const mostRows = 40;
/** Ms for each root. During a refresh all groups are made anew, and VS Code asks for every row again, so large trees follow more slowly. */
const restPerGroup = 1;

/** A kind of row without a look does not compile. */
const looks: Readonly<Record<TreeElement['kind'], RowLook<TreeElement>>> = {
  ...troubleRows,
  ...deploymentRows,
  ...requirementRows,
  ...accountRows,
  ...connectionRows,
  ...groupRows,
  ...adviceRows,
};

/** Rows for VS Code: asks the model for elements, and tells VS Code which ones changed, a few at a time. */
export class DeploymentsProvider implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly roots: Roots;
  /** Those by account, as VS Code got them last. */
  private groups: readonly TreeElement[] = [];
  private restUntil = -Infinity;
  /** What rows say besides their own deployment, as it was when VS Code last asked for all of them. */
  private drawn: { readonly cause: unknown; readonly impact: number; readonly minute: number };
  /** Items of deployments: VS Code asks for all again whenever some come, go or change places, and most say the same as before. */
  private kept = new Map<string, { item: vscode.TreeItem; deployment: Deployment; watched: boolean }>();
  /** Deployments whose rows changed and that VS Code has not been told of. */
  private readonly waiting = new Set<string>();
  private later: Disposable | undefined;

  constructor(
    private readonly source: TreeSource,
    private readonly sight: Sight = { visible: true, selection: [] },
    private readonly clock: Clock = systemClock,
  ) {
    this.roots = new Roots(source.store);
    this.drawn = this.toDraw();
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  *rootsInSteps(): Generator<void, TreeElement[], void> {
    const { store, organizations, filter, grouping, deploymentList } = this.source;
    const { untrusted } = deploymentList;
    const before = this.drawn;
    this.drawn = this.toDraw();
    // A time of another day is written with its day.
    if (this.drawn.impact !== before.impact || this.drawn.minute !== before.minute) this.kept = new Map();
    if (!organizations.current) {
      this.groups = [];
      this.kept.clear();
      return [];
    }
    if (!grouping.byAccount) return [...this.roots.all(filter, untrusted)];
    this.groups = yield* grouped(store.deployments, filter);
    this.restUntil = this.clock.now() + restPerGroup * this.groups.length;
    return [...this.roots.first(untrusted), ...this.groups];
  }

  getChildren(element?: TreeElement): TreeElement[] {
    if (element) return [...childrenOf(element)];
    const roots = this.rootsInSteps();
    for (let step = roots.next(); ; step = roots.next()) if (step.done) return step.value;
  }

  getTreeItem(element: TreeElement): vscode.TreeItem {
    if (element.kind !== 'deployment') return this.newItem(element);
    const { deployment } = element;
    const watched = this.source.watches.has(deployment.id);
    const kept = this.kept.get(deployment.id);
    if (kept?.deployment === deployment && kept.watched === watched) return kept.item;
    const item = this.newItem(element);
    // A stale row says how old it is, so it is made whenever VS Code asks.
    if (!deployment.failure) this.kept.set(deployment.id, { item, deployment, watched });
    return item;
  }

  private newItem(element: TreeElement): vscode.TreeItem {
    const row = looks[element.kind].row(element, this.context());
    return treeItem(element.id, showsOldData(element) ? grayed(row) : row, hasChildren(element));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    // A copy, because an item that is kept would keep this tooltip.
    const tooltip = looks[element.kind].hover(element, this.context());
    return Object.assign(new vscode.TreeItem(''), item, { tooltip });
  }

  private toDraw(): DeploymentsProvider['drawn'] {
    const { store, impact } = this.source;
    return { cause: store.cause, impact: impact.version, minute: Math.floor(this.clock.now() / 60_000) };
  }

  private context(): RowContext {
    const { organizations, watches, impact } = this.source;
    return { organization: organizations.current, now: this.clock.now(), watches, impact };
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
      return this.refreshAll();
    }
    for (const id of deployments) this.waiting.add(id);
    if (!grouping.byAccount) this.refreshRows(more);
    // One answer can move several accounts, so all groups change together.
    else if (this.waiting.size > 0 && !(more && this.clock.now() < this.restUntil)) this.refreshAll();
    this.later?.dispose();
    // While reads hang no change comes, so the rows that wait are named by a timer.
    if (this.waiting.size === 0) return;
    this.later = this.clock.setTimer(() => {
      // When somebody looks again, the view refreshes what it missed.
      if (this.sight.visible) this.refresh(new Set());
    }, betweenEvents);
  }

  /**
   * Names rows that changed, selected ones first; those that are too many wait. When no more changes are coming, asking for everything
   * once is cheaper than naming them.
   */
  private refreshRows(more: boolean): void {
    const { roots, waiting } = this;
    // VS Code would go through all rows for one that it does not have.
    const rows = [...waiting].flatMap((id) => roots.shown(id) ?? []);
    if (rows.length > mostRows && !more) return this.refreshAll();
    const selected = new Set(this.sight.selection);
    rows.sort((a, b) => Number(selected.has(b)) - Number(selected.has(a)));
    waiting.clear();
    for (const { deployment } of rows.splice(mostRows)) waiting.add(deployment.id);
    // A row that is named is made anew, because the time or another deployment may have changed what it says.
    for (const { deployment } of rows) this.kept.delete(deployment.id);
    if (rows.length > 0) this.changed.fire(rows);
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

/** Whether a row below a deployment says what was read before its last read failed. */
function showsOldData(element: TreeElement): boolean {
  if (!('deployment' in element) || element.kind === 'failure') return false;
  return element.kind !== 'deployment' && element.kind !== 'member' && isUnreadable(element.deployment);
}
