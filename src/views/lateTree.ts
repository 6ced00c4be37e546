import * as vscode from 'vscode';

type Rows<T> = Required<vscode.TreeDataProvider<T>>;

/** A tree view whose rows come later. Until then it is empty, and VS Code shows the view's welcome text. */
export class LateTree<T> implements vscode.Disposable {
  readonly view: vscode.TreeView<T>;
  private readonly changed = new vscode.EventEmitter<T | T[] | undefined | null | void>();
  private readonly subscriptions: vscode.Disposable[];
  private rows: Rows<T> | undefined;

  /** `looked`: somebody looks at the view, and the rows are not there. */
  constructor(id: string, options: Omit<vscode.TreeViewOptions<T>, 'treeDataProvider'>, looked: () => void) {
    // Whoever has an element got it from the rows.
    const treeDataProvider: Rows<T> = {
      onDidChangeTreeData: this.changed.event,
      getChildren: (element) => this.rows?.getChildren(element) ?? [],
      getParent: (element) => this.rows!.getParent(element),
      getTreeItem: (element) => this.rows!.getTreeItem(element),
      resolveTreeItem: (...hovered) => this.rows!.resolveTreeItem(...hovered),
    };
    this.view = vscode.window.createTreeView(id, { ...options, treeDataProvider });
    this.subscriptions = [
      this.view,
      this.changed,
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && !this.rows) looked();
      }),
    ];
  }

  show(rows: Rows<T>): void {
    this.rows = rows;
    this.subscriptions.push(rows.onDidChangeTreeData((elements) => this.changed.fire(elements)));
    this.changed.fire();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
