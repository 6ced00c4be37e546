import type * as vscode from 'vscode';
import type { Services } from '../../../src/host/services.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { InstallsView } from '../../../src/views/installs.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { TreeViewInMemory } from './treeViewInMemory.js';

/** Every row of the view, parents first. */
export function below(
  provider: Pick<DeploymentsProvider, 'getChildren'>,
  element?: TreeElement,
): readonly TreeElement[] {
  return provider.getChildren(element).flatMap((child) => [child, ...below(provider, child)]);
}

/** Every row of both views with its hover, as VS Code asks for them. */
export function itemsOf(services: Services): readonly vscode.TreeItem[] {
  const rows = new DeploymentsProvider(services);
  const pending = new InstallsView(services, new TreeViewInMemory<PendingInstall>());
  const items = [
    ...below(rows).map((element) => rows.resolveTreeItem(rows.getTreeItem(element), element)),
    ...pending.getChildren().map((one) => pending.resolveTreeItem(pending.getTreeItem(one), one)),
  ];
  rows.dispose();
  pending.dispose();
  return items;
}
