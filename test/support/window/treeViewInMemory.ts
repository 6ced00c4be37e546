import * as vscode from 'vscode';

const nothingHappens: vscode.Event<never> = () => new vscode.Disposable(() => {});

/** VS Code's own interface in memory: the running extension has the views. It is visible, and no user touches it. */
export class TreeViewInMemory<T> implements vscode.TreeView<T> {
  readonly onDidChangeVisibility = nothingHappens;
  readonly onDidChangeSelection = nothingHappens;
  readonly onDidExpandElement = nothingHappens;
  readonly onDidCollapseElement = nothingHappens;
  readonly onDidChangeCheckboxState = nothingHappens;
  selection: readonly T[] = [];
  visible = true;
  /** What it was asked to show, and what to open. */
  readonly revealed: T[] = [];
  readonly opened: T[] = [];

  async reveal(element: T, options: { readonly expand?: boolean | number } = {}): Promise<void> {
    (options.expand === undefined ? this.revealed : this.opened).push(element);
  }

  dispose(): void {}
}
