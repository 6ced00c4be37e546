import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { TreeElement } from '../../src/model/tree/elements.js';

/** The rows as VS Code has them: it asks for those again that it is told of, and for no other. */
export class ShownRows implements vscode.Disposable {
  private roots: readonly TreeElement[] = [];
  private readonly icons = new Map<TreeElement, string>();
  private readonly listener: vscode.Disposable | undefined;
  private reading: Promise<void>;

  constructor(private readonly rows: vscode.TreeDataProvider<TreeElement>) {
    this.reading = this.readAll();
    this.listener = rows.onDidChangeTreeData?.((changed) => {
      const read = () => (Array.isArray(changed) ? this.read(changed) : this.readAll());
      this.reading = this.reading.then(read);
    });
  }

  /** Rows that show something else than they would if VS Code asked for them now. Times in them may have passed unnoticed. */
  async stuck(): Promise<readonly string[]> {
    // The last change of all may be told a moment later.
    await sleep(600);
    await this.reading;
    const bad: string[] = [];
    const roots = (await this.rows.getChildren()) ?? [];
    if (roots.length !== this.roots.length)
      bad.push(`${this.roots.length} rows are shown, and ${roots.length} are there`);
    for (const root of roots) {
      const icon = await this.iconOf(root);
      const shown = this.icons.get(root);
      if (shown !== icon) bad.push(`the row of ${nameOf(root)} shows ${shown ?? 'nothing'} instead of ${icon}`);
    }
    return bad;
  }

  /** Every row with all below it, and their hovers. */
  async readBelow(element?: TreeElement): Promise<void> {
    const { token } = new vscode.CancellationTokenSource();
    for (const child of (await this.rows.getChildren(element)) ?? []) {
      await this.rows.resolveTreeItem?.(await this.rows.getTreeItem(child), child, token);
      await this.readBelow(child);
    }
  }

  dispose(): void {
    this.listener?.dispose();
  }

  private async readAll(): Promise<void> {
    this.roots = (await this.rows.getChildren()) ?? [];
    this.icons.clear();
    await this.read(this.roots);
  }

  private async read(elements: readonly TreeElement[]): Promise<void> {
    for (const element of elements) this.icons.set(element, await this.iconOf(element));
  }

  private async iconOf(element: TreeElement): Promise<string> {
    const { iconPath } = await this.rows.getTreeItem(element);
    return iconPath instanceof vscode.ThemeIcon ? iconPath.id : 'none';
  }
}

function nameOf(element: TreeElement): string {
  return element.kind === 'deployment' ? element.deployment.id : element.kind;
}
