import type * as vscode from 'vscode';
import type { App } from '../../../src/app.js';

interface Provider<T> {
  getChildren(element?: T): readonly T[];
  getTreeItem(element: T): vscode.TreeItem;
  resolveTreeItem(item: vscode.TreeItem, element: T): vscode.TreeItem;
}

/** Every row of a view, parents first. */
export function below<T>(provider: Pick<Provider<T>, 'getChildren'>, element?: T): readonly T[] {
  return provider.getChildren(element).flatMap((child) => [child, ...below(provider, child)]);
}

/** Every row of both views with its hover, as VS Code asks for them. */
export function itemsOf({ deploymentRows, installRows }: App): readonly vscode.TreeItem[] {
  return [...itemsIn(deploymentRows), ...itemsIn(installRows)];
}

function itemsIn<T>(provider: Provider<T>): readonly vscode.TreeItem[] {
  return below(provider).map((element) => provider.resolveTreeItem(provider.getTreeItem(element), element));
}
