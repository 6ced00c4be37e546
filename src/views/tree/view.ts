import type * as vscode from 'vscode';
import type { ContextKeys } from '../../host/contextKeys.js';
import { contextKeys, viewIds } from '../../host/ids.js';
import type { Services } from '../../host/services.js';
import { countsText, summaryChangesAt } from '../../host/text/deployment.js';
import { isKeptByOnlyProblems } from '../../model/deployment.js';
import type { StoreChange } from '../../model/store/store.js';
import { type Clock, systemClock } from '../../model/time.js';
import type { TreeElement } from '../../model/tree/elements.js';
import { RefreshProgress } from '../refreshProgress.js';
import { AgeTicker } from '../ticker.js';
import { hasRows } from '../treeSource.js';
import { Turns } from '../turns.js';
import { untilVisible } from '../untilVisible.js';
import { viewDescription } from '../viewDescription.js';
import { welcomeState } from '../welcomeState.js';
import { DeploymentsProvider } from './provider.js';
import { registerProblemDecorations } from './row.js';

/** What the Deployments view needs of the object graph; `services.reveal` is made from it, so it is not among them. */
type DeploymentsViewServices = Pick<Services, 'store' | 'organizations' | 'deploymentList' | 'filter' | 'settings'>;

/** The rows of the Deployments view, and what stands around them. */
export class DeploymentsView implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  readonly onDidChangeTreeData: vscode.Event<TreeElement[] | undefined>;
  private readonly provider: DeploymentsProvider;
  private readonly progress = new RefreshProgress(viewIds.deployments);
  private readonly turns = new Turns();
  private readonly subscriptions: readonly vscode.Disposable[];
  /** What changed while the view was hidden: VS Code hears of it when somebody looks. */
  private missed: Set<string> | 'all' = new Set();
  private shownCause: unknown;
  private opened: TreeElement | undefined;
  /** The row that `reveal` showed last, while nobody selects another one. `view.selection` learns of it only a moment later. */
  private shown: TreeElement | undefined;

  constructor(
    private readonly services: DeploymentsViewServices,
    private readonly view: vscode.TreeView<TreeElement>,
    private readonly keys: ContextKeys,
    clock: Clock = systemClock,
  ) {
    const { store, organizations, deploymentList, filter, settings } = services;
    const provider = new DeploymentsProvider(services, view, clock);
    this.provider = provider;
    this.onDidChangeTreeData = provider.onDidChangeTreeData;
    const everything = () => this.changed('all');
    this.subscriptions = [
      new AgeTicker(view, store, summaryChangesAt, (ids) => provider.refresh(ids), clock),
      registerProblemDecorations(),
      store.onDidChange((change) => this.changed(change.deployments)),
      organizations.onDidChange(everything),
      deploymentList.onDidChange(everything),
      filter.onDidChange(everything),
      settings.onDidChange(() => this.updateFrame()),
      view.onDidChangeVisibility(() => this.visibilityChanged()),
      view.onDidChangeSelection(({ selection }) => {
        // Nothing is selected while VS Code asks for all rows again.
        if (selection.some((row) => row !== this.shown)) this.shown = undefined;
      }),
    ];
    this.updateFrame();
  }

  getChildren(element?: TreeElement): TreeElement[] | Promise<TreeElement[]> {
    // The walkthrough's step. VS Code's own event of an opened row gets lost while the rows are being asked for again, and it asks
    // for what is below a row that `open` opened, not somebody, once more later.
    if (element && element !== this.opened) this.keys.set(contextKeys.hasReadTree, true);
    return this.turns.answer(() => this.provider.getChildren(element));
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement): vscode.TreeItem | Promise<vscode.TreeItem> {
    return this.turns.answer((now) => this.provider.getTreeItem(element, now));
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    return this.provider.resolveTreeItem(item, element);
  }

  /** Shows, selects and focuses a deployment's row, turning the filter off first if it hides it. */
  async reveal(deploymentId: string): Promise<void> {
    const { store, filter } = this.services;
    const { view, provider } = this;
    const deployment = store.get(deploymentId);
    if (filter.onlyProblems && deployment && !isKeptByOnlyProblems(deployment)) await filter.set(false);
    if (!view.visible) {
      await untilVisible(view, viewIds.deployments);
      // VS Code asks for the rows of a hidden view too, without drawing them: it would look for this one in an empty tree.
      provider.refresh('all');
    }
    const row = provider.rowOf(deploymentId);
    // VS Code finishes a refresh that is under way before it looks for the row.
    if (!row) return;
    this.shown = row;
    await view.reveal(row, { select: true, focus: true });
  }

  /** Opens the row that `reveal` showed, unless somebody has selected another one since. */
  async open(deploymentId: string): Promise<void> {
    const { view, provider } = this;
    const row = provider.rowOf(deploymentId);
    if (!row || !view.visible || this.shown !== row) return;
    this.opened = row;
    // A row can be opened once VS Code knows that there is something below it, and the store's own event may be a moment away.
    provider.refreshRow(row);
    await view.reveal(row, { select: false, expand: true });
  }

  dispose(): void {
    for (const own of [...this.subscriptions, this.progress, this.turns, this.provider]) own.dispose();
  }

  private changed(deployments: StoreChange['deployments']): void {
    const { cause } = this.services.store;
    // A first row comes or goes: that is a change of the root, which the store reports for deployments only.
    const what = cause === this.shownCause ? deployments : 'all';
    this.shownCause = cause;
    if (this.view.visible) this.provider.refresh(what);
    else this.missed = what === 'all' || this.missed === 'all' ? 'all' : new Set([...this.missed, ...what]);
    this.updateFrame();
  }

  private visibilityChanged(): void {
    if (this.view.visible) {
      const { missed } = this;
      this.missed = new Set();
      this.provider.refresh(missed);
    } else {
      this.provider.forgetItems();
    }
    this.updateFrame();
  }

  /** All around the rows: description, badge, progress, and which welcome text an empty view shows. */
  private updateFrame(): void {
    const { store, organizations, deploymentList, filter, settings } = this.services;
    const { counts } = store;
    // Whatever it is set to is sent to the window.
    const description = viewDescription(organizations.current, store);
    if (this.view.description !== description) this.view.description = description;
    // Hidden, it would only replace the count on the icon in the activity bar.
    this.progress.show(this.view.visible && store.progress !== undefined);
    this.view.badge =
      organizations.current && counts.withProblems > 0 && settings.badgeEnabled
        ? { value: counts.withProblems, tooltip: countsText(counts) }
        : undefined;
    const state = welcomeState({
      missing: organizations.missing,
      hasRows: hasRows(this.services),
      listed: () => deploymentList.listed.length,
      onlyProblems: filter.onlyProblems,
      notYetRead: counts.notYetRead,
    });
    if (state) this.keys.set(contextKeys.welcome, state);
  }
}
