import * as vscode from 'vscode';

/** A tree view whose rows come later. Until then it is empty, and VS Code shows the view's welcome text. */
export class LateTree<T> implements vscode.TreeDataProvider<T>, vscode.Disposable {
  readonly view: vscode.TreeView<T>;
  private readonly changed = new vscode.EventEmitter<T | T[] | undefined | null | void>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly subscriptions: vscode.Disposable[];
  private rows: vscode.TreeDataProvider<T> | undefined;

  /** `looked`: somebody looks at the view, and the rows are not there. */
  constructor(id: string, options: Omit<vscode.TreeViewOptions<T>, 'treeDataProvider'>, looked: () => void) {
    this.view = vscode.window.createTreeView(id, { ...options, treeDataProvider: this });
    this.subscriptions = [
      this.view,
      this.changed,
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && !this.rows) looked();
      }),
    ];
  }

  show(rows: vscode.TreeDataProvider<T>): void {
    this.rows = rows;
    if (rows.onDidChangeTreeData) {
      this.subscriptions.push(rows.onDidChangeTreeData((elements) => this.changed.fire(elements)));
    }
    this.changed.fire(undefined);
  }

  getChildren(element?: T): vscode.ProviderResult<T[]> {
    return this.rows?.getChildren(element) ?? [];
  }

  getParent(element: T): vscode.ProviderResult<T> {
    return this.rows?.getParent?.(element);
  }

  /** Whoever has an element got it from the rows. */
  getTreeItem(element: T): vscode.TreeItem | Thenable<vscode.TreeItem> {
    return this.rows!.getTreeItem(element);
  }

  resolveTreeItem(
    item: vscode.TreeItem,
    element: T,
    token: vscode.CancellationToken,
  ): vscode.ProviderResult<vscode.TreeItem> {
    return this.rows?.resolveTreeItem?.(item, element, token) ?? item;
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
