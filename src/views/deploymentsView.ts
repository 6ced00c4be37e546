import * as vscode from 'vscode';
import { ContextKeys } from '../host/contextKeys.js';
import { contextKeys, viewIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { countsText, deploymentSummary } from '../host/text.js';
import { stepDone } from '../host/walkthroughSteps.js';
import type { StoreChange } from '../model/deploymentStore.js';
import type { TreeElement } from '../model/tree.js';
import { isKeptByOnlyProblems } from '../model/treeElements.js';
import { AgeTicker } from './ageTicker.js';
import { DeploymentsProvider } from './deploymentsProvider.js';
import { registerProblemDecorations } from './problemDecorations.js';
import { RefreshProgress } from './refreshProgress.js';
import { untilVisible } from './untilVisible.js';
import { viewDescription } from './viewDescription.js';
import { welcomeState } from './welcomeState.js';

/** What the Deployments view needs of the object graph; `services.reveal` is made from it, so it is not among them. */
export type DeploymentsViewServices = Pick<
  Services,
  'store' | 'organizations' | 'deploymentList' | 'filter' | 'settings'
>;

export interface DeploymentsView extends vscode.Disposable {
  /** Shows, selects and focuses a row, turning the filter off first if it hides it. */
  reveal(element: TreeElement): Promise<void>;
  readonly selection: readonly TreeElement[];
  readonly visible: boolean;
  readonly onDidChangeVisibility: vscode.TreeView<TreeElement>['onDidChangeVisibility'];
}

export function registerDeploymentsView(services: DeploymentsViewServices): DeploymentsView {
  return new View(services);
}

class View implements DeploymentsView {
  private readonly provider: DeploymentsProvider;
  private readonly view: vscode.TreeView<TreeElement>;
  private readonly keys = new ContextKeys();
  private readonly progress = new RefreshProgress(viewIds.deployments);
  private readonly subscriptions: { dispose(): void }[];
  /** What changed while the view was hidden: VS Code hears of it when somebody looks. */
  private missed: Set<string> | 'all' = new Set();
  private shownCause: unknown;

  constructor(private readonly services: DeploymentsViewServices) {
    const { store, organizations, deploymentList, filter, settings } = services;
    this.provider = new DeploymentsProvider(services);
    this.view = vscode.window.createTreeView(viewIds.deployments, {
      treeDataProvider: this.provider,
      showCollapseAll: true,
      canSelectMany: true,
    });
    const everything = () => this.changed('all');
    this.subscriptions = [
      this.view,
      this.provider,
      this.progress,
      registerProblemDecorations(),
      new AgeTicker(this.view, store, deploymentSummary, (ids) => this.provider.refresh(ids)),
      store.onDidChange((change) => this.changed(change.deployments)),
      organizations.onDidChange(everything),
      deploymentList.onDidChange(everything),
      filter.onDidChange(everything),
      settings.onDidChange(() => this.updateFrame()),
      this.view.onDidExpandElement(() => stepDone('hasReadTree')),
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

  async reveal(element: TreeElement): Promise<void> {
    const { filter } = this.services;
    let top = element;
    while (top.parent) top = top.parent;
    const hidden = top.kind === 'deployment' && !isKeptByOnlyProblems(top.deployment);
    if (filter.onlyProblems && hidden) await filter.set(false);
    if (!this.view.visible) await untilVisible(this.view, viewIds.deployments);
    // VS Code finishes a refresh that is under way before it looks for the row.
    await this.view.reveal(this.provider.newest(element), { select: true, focus: true });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
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
    }
    this.updateFrame();
  }

  /** All around the rows: description, badge, progress, and which welcome text an empty view shows. */
  private updateFrame(): void {
    const { store, organizations, deploymentList, filter, settings } = this.services;
    const { counts } = store;
    this.view.description = viewDescription(organizations.current, store);
    // Hidden, it would only replace the count on the icon in the activity bar.
    this.progress.show(this.view.visible && store.progress !== undefined);
    this.view.badge =
      settings.badgeEnabled && organizations.current && counts.withProblems > 0
        ? { value: counts.withProblems, tooltip: countsText(counts) }
        : undefined;
    const state = welcomeState({
      missing: organizations.missing,
      hasRows: this.provider.hasRows(),
      listed: deploymentList.listed.length,
      onlyProblems: filter.onlyProblems,
    });
    this.keys.set(contextKeys.welcome, state);
  }
}
