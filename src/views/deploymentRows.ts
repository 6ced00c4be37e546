import type * as vscode from 'vscode';
import { viewIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { countsText, summaryChangesAt } from '../host/text.js';
import { isKeptByOnlyProblems } from '../model/deployment.js';
import type { TreeElement } from '../model/tree.js';
import { AgeTicker } from './ageTicker.js';
import { DeploymentsProvider } from './deploymentsProvider.js';
import { forgetItems } from './items/deploymentItem.js';
import { registerProblemDecorations } from './problemDecorations.js';
import { RefreshProgress } from './refreshProgress.js';
import { Turns } from './turns.js';
import { untilVisible } from './untilVisible.js';
import { viewDescription } from './viewDescription.js';

/** The rows of the Deployments view and the words around them: all that is not needed before an organization is current. */
export interface DeploymentRows extends vscode.Disposable {
  readonly provider: DeploymentsProvider;
  /** The provider's, in turns. */
  getChildren(element?: TreeElement): TreeElement[] | Promise<TreeElement[]>;
  getTreeItem(element: TreeElement): vscode.TreeItem | Promise<vscode.TreeItem>;
  readonly progress: RefreshProgress;
  readonly description: string | undefined;
  readonly badgeTooltip: string;
  /** Shows, selects and focuses a deployment's row, turning the filter off first if it hides it. */
  reveal(deploymentId: string): Promise<void>;
  /** Opens the row that `reveal` showed, unless somebody has selected another one since. */
  open(deploymentId: string): Promise<void>;
  /** Whether this row is the one that `open` opened, not somebody: VS Code asks for what is below it, and later again. */
  wasOpened(element: TreeElement): boolean;
}

export function deploymentRows(
  services: Pick<Services, 'store' | 'organizations' | 'deploymentList' | 'filter'>,
  view: vscode.TreeView<TreeElement>,
): DeploymentRows {
  const { store, organizations, filter } = services;
  const provider = new DeploymentsProvider(services, view);
  const ticker = new AgeTicker(view, store, summaryChangesAt, (ids) => provider.refresh(ids));
  const progress = new RefreshProgress(viewIds.deployments);
  const decorations = registerProblemDecorations();
  const turns = new Turns();
  let opened: TreeElement | undefined;
  /** The row that `reveal` showed last, while nobody selects another one. `view.selection` learns of it only a moment later. */
  let shown: TreeElement | undefined;
  const selecting = view.onDidChangeSelection(({ selection }) => {
    // Nothing is selected while VS Code asks for all rows again.
    if (selection.some((row) => row !== shown)) shown = undefined;
  });
  const hiding = view.onDidChangeVisibility(({ visible }) => {
    if (!visible) forgetItems();
  });
  return {
    provider,
    getChildren: (element) => turns.answer(() => provider.getChildren(element)),
    getTreeItem: (element) => turns.answer((now) => provider.getTreeItem(element, now)),
    progress,
    get description() {
      return viewDescription(organizations.current, store);
    },
    get badgeTooltip() {
      return countsText(store.counts);
    },
    async reveal(deploymentId) {
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
      shown = row;
      await view.reveal(row, { select: true, focus: true });
    },
    async open(deploymentId) {
      const row = provider.rowOf(deploymentId);
      if (!row || !view.visible || shown !== row) return;
      opened = row;
      // A row can be opened once VS Code knows that there is something below it, and the store's own event may be a moment away.
      provider.refreshRow(row);
      await view.reveal(row, { select: false, expand: true });
    },
    wasOpened: (element) => element === opened,
    dispose() {
      for (const own of [ticker, progress, decorations, turns, selecting, hiding, provider]) own.dispose();
    },
  };
}
