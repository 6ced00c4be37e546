import * as vscode from 'vscode';
import { ContextKeys } from '../host/contextKeys.js';
import { contextKeys, viewIds } from '../host/ids.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';
import type { StoreChange } from '../model/store/store.js';
import type { TreeElement } from '../model/tree.js';
import type { DeploymentRows } from './deploymentRows.js';
import { hasRows } from './treeSource.js';
import { welcomeState } from './welcomeState.js';

/** What the Deployments view needs of the object graph; `services.reveal` is made from it, so it is not among them. */
export type DeploymentsViewServices = Pick<
  Services,
  'store' | 'organizations' | 'deploymentList' | 'filter' | 'settings'
>;

export interface DeploymentsView extends vscode.Disposable {
  /** Shows, selects and focuses a deployment's row, turning the filter off first if it hides it. */
  reveal(deploymentId: string): Promise<void>;
  /** Opens the row that `reveal` showed, unless somebody has selected another one since. */
  open(deploymentId: string): Promise<void>;
  readonly selection: readonly TreeElement[];
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.TreeView<TreeElement>['onDidChangeVisibility'];
}

export function registerDeploymentsView(services: DeploymentsViewServices): DeploymentsView {
  return new View(services);
}

class View implements DeploymentsView {
  private readonly asked = new vscode.EventEmitter<TreeElement[] | undefined>();
  private readonly view: vscode.TreeView<TreeElement>;
  private readonly keys = new ContextKeys();
  private readonly subscriptions: { dispose(): void }[];
  /** What changed while the view was hidden: VS Code hears of it when somebody looks. */
  private missed: Set<string> | 'all' = new Set();
  private shownCause: unknown;
  private rows: DeploymentRows | undefined;
  private disposed = false;

  /** Without an organization there is no row and no word: nothing of it is loaded before. */
  private readonly loadRows = lazy(async () => {
    const { deploymentRows } = await import('./deploymentRows.js');
    const rows = deploymentRows(this.services, this.view);
    if (this.disposed) {
      rows.dispose();
      return rows;
    }
    this.rows = rows;
    this.subscriptions.push(
      rows,
      rows.provider.onDidChangeTreeData((elements) => this.asked.fire(elements)),
    );
    this.updateFrame();
    return rows;
  });

  constructor(private readonly services: DeploymentsViewServices) {
    const { store, organizations, deploymentList, filter, settings } = services;
    const rowsFor = async (element?: TreeElement) =>
      organizations.current ? (await this.loadRows()).getChildren(element) : [];
    this.view = vscode.window.createTreeView(viewIds.deployments, {
      treeDataProvider: {
        onDidChangeTreeData: this.asked.event,
        // Once loaded it answers at once; whoever has an element to ask for got it from there.
        getChildren: (element) => {
          // The walkthrough's step. VS Code's own event of an opened row gets lost while the rows are being asked for again.
          if (element && !this.rows?.wasOpened(element)) this.keys.set(contextKeys.hasReadTree, true);
          return this.rows?.getChildren(element) ?? rowsFor(element);
        },
        getParent: (element) => element.parent,
        getTreeItem: (element) => this.rows!.getTreeItem(element),
        resolveTreeItem: (item, element) => this.rows?.provider.resolveTreeItem(item, element),
      },
      showCollapseAll: true,
      canSelectMany: true,
    });
    const everything = () => this.changed('all');
    this.subscriptions = [
      this.view,
      this.asked,
      store.onDidChange((change) => this.changed(change.deployments)),
      organizations.onDidChange(everything),
      deploymentList.onDidChange(everything),
      filter.onDidChange(everything),
      settings.onDidChange(() => this.updateFrame()),
      this.view.onDidChangeVisibility(() => this.visibilityChanged()),
    ];
    this.updateFrame();
  }

  get selection(): readonly TreeElement[] {
    return this.view.selection;
  }

  get visible(): boolean {
    return this.view.visible;
  }

  get onDidChangeVisibility(): vscode.TreeView<TreeElement>['onDidChangeVisibility'] {
    return this.view.onDidChangeVisibility;
  }

  async reveal(deploymentId: string): Promise<void> {
    await (await this.loadRows()).reveal(deploymentId);
  }

  async open(deploymentId: string): Promise<void> {
    await (await this.loadRows()).open(deploymentId);
  }

  dispose(): void {
    this.disposed = true;
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private changed(deployments: StoreChange['deployments']): void {
    const { cause } = this.services.store;
    // A first row comes or goes: that is a change of the root, which the store reports for deployments only.
    const what = cause === this.shownCause ? deployments : 'all';
    this.shownCause = cause;
    if (this.view.visible) this.ask(what);
    else this.missed = what === 'all' || this.missed === 'all' ? 'all' : new Set([...this.missed, ...what]);
    this.updateFrame();
  }

  private visibilityChanged(): void {
    if (this.view.visible) {
      const { missed } = this;
      this.missed = new Set();
      this.ask(missed);
    }
    this.updateFrame();
  }

  /** Has VS Code ask again. Rows that are not loaded yet are asked for as a whole. */
  private ask(deployments: StoreChange['deployments']): void {
    if (this.rows) this.rows.provider.refresh(deployments);
    else if (deployments === 'all' || deployments.size > 0) this.asked.fire(undefined);
  }

  /** All around the rows: description, badge, progress, and which welcome text an empty view shows. */
  private updateFrame(): void {
    const { store, organizations, deploymentList, filter, settings } = this.services;
    const { counts } = store;
    const rows = organizations.current && this.rows;
    if (organizations.current && !rows) void this.loadRows();
    // Whatever it is set to is sent to the window.
    const description = rows?.description;
    if (this.view.description !== description) this.view.description = description;
    // Hidden, it would only replace the count on the icon in the activity bar.
    this.rows?.progress.show(this.view.visible && store.progress !== undefined);
    this.view.badge =
      rows && counts.withProblems > 0 && settings.badgeEnabled
        ? { value: counts.withProblems, tooltip: rows.badgeTooltip }
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
