import * as vscode from 'vscode';
import { DisposableOwner } from '../model/disposableOwner.js';

type Rows<T> = Required<vscode.TreeDataProvider<T>>;

/** A tree view whose rows come later. Until then it is empty, and VS Code shows the view's welcome text. */
export class LateTree<T> extends DisposableOwner {
  readonly view: vscode.TreeView<T>;
  private readonly changed = this.own(new vscode.EventEmitter<T | T[] | undefined | null | void>());
  private rows: Rows<T> | undefined;

  /** `becameVisible`: called while the rows are not there. */
  constructor(id: string, options: Omit<vscode.TreeViewOptions<T>, 'treeDataProvider'>, becameVisible: () => void) {
    super();
    // An element was made by the rows, so they are there.
    const treeDataProvider: Rows<T> = {
      onDidChangeTreeData: this.changed.event,
      getChildren: (element) => this.rows?.getChildren(element) ?? [],
      getParent: (element) => this.rows!.getParent(element),
      getTreeItem: (element) => this.rows!.getTreeItem(element),
      resolveTreeItem: (...hovered) => this.rows!.resolveTreeItem(...hovered),
    };
    this.view = this.own(vscode.window.createTreeView(id, { ...options, treeDataProvider }));
    this.own(
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible && !this.rows) becameVisible();
      }),
    );
  }

  show(rows: Rows<T>): void {
    this.rows = rows;
    this.own(rows.onDidChangeTreeData((elements) => this.changed.fire(elements)));
    this.changed.fire();
  }
}
