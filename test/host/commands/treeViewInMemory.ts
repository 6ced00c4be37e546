import * as vscode from 'vscode';

/** VS Code's own interface in memory: the running extension has the views. Somebody looks at it, and it has what `rows` gives. */
export class TreeViewInMemory<T> implements vscode.TreeView<T> {
  private readonly visibility = new vscode.EventEmitter<vscode.TreeViewVisibilityChangeEvent>();
  private readonly selected = new vscode.EventEmitter<vscode.TreeViewSelectionChangeEvent<T>>();
  private readonly expansion = new vscode.EventEmitter<vscode.TreeViewExpansionEvent<T>>();
  private readonly checkboxes = new vscode.EventEmitter<vscode.TreeCheckboxChangeEvent<T>>();
  readonly onDidChangeVisibility = this.visibility.event;
  readonly onDidChangeSelection = this.selected.event;
  readonly onDidExpandElement = this.expansion.event;
  readonly onDidCollapseElement = this.expansion.event;
  readonly onDidChangeCheckboxState = this.checkboxes.event;
  readonly selection: readonly T[] = [];
  visible = true;
  message?: string;
  title?: string;
  description?: string;
  badge?: vscode.ViewBadge | undefined;
  /** What it was asked to show, and what to open. */
  readonly revealed: T[] = [];
  readonly opened: T[] = [];

  async reveal(element: T, options: { readonly expand?: boolean | number } = {}): Promise<void> {
    (options.expand === undefined ? this.revealed : this.opened).push(element);
  }

  dispose(): void {
    for (const emitter of [this.visibility, this.selected, this.expansion, this.checkboxes]) emitter.dispose();
  }
}
