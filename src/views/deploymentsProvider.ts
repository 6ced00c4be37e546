import * as vscode from 'vscode';
import type { StoreChange } from '../model/deploymentStore.js';
import type { TreeElement } from '../model/tree.js';
import { createTreeElements } from '../model/treeElements.js';
import { ChangedRows } from './changedRows.js';
import { elementHover } from './elementHover.js';
import { elementItem } from './elementItem.js';
import { hasNews } from './items/deploymentItem.js';
import type { TreeSource } from './treeSource.js';

/** Rows for VS Code: asks the model for elements, and names the ones that changed. Holds no data of its own. */
export class DeploymentsProvider implements vscode.TreeDataProvider<TreeElement>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<TreeElement[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly elements;
  private readonly hasChildren = (element: TreeElement): boolean => this.elements.hasChildren(element);

  private readonly rows: ChangedRows;

  constructor(private readonly source: TreeSource) {
    this.elements = createTreeElements(source.store);
    this.rows = new ChangedRows({
      rowOf: (id) => this.elements.elementOf(id),
      count: () => source.store.deployments.length,
      more: () => source.store.progress !== undefined,
      isNews: hasNews,
    });
  }

  /** Not signed in always empties the tree, whatever the store still holds. */
  private roots(): readonly TreeElement[] {
    const { organizations, filter, deploymentList } = this.source;
    if (!organizations.current) return [];
    return this.elements.roots({ onlyProblems: filter.onlyProblems, untrusted: deploymentList.untrusted });
  }

  getChildren(element?: TreeElement): TreeElement[] {
    return [...(element ? this.elements.children(element) : this.roots())];
  }

  getParent(element: TreeElement): TreeElement | undefined {
    return element.parent;
  }

  getTreeItem(element: TreeElement, now: number = Date.now()): vscode.TreeItem {
    return elementItem(element, {
      organization: this.source.organizations.current,
      now,
      expandable: this.hasChildren,
    });
  }

  resolveTreeItem(item: vscode.TreeItem, element: TreeElement): vscode.TreeItem {
    const hover = elementHover(element, this.source.organizations.current, Date.now());
    // Not into the item: it is given to VS Code again, and a hover says what is so when somebody asks.
    return hover ? Object.assign(new vscode.TreeItem(''), item, { tooltip: hover }) : item;
  }

  /** The row that VS Code knows; `undefined` if the deployment has left the list. */
  rowOf(deploymentId: string): TreeElement | undefined {
    return this.elements.elementOf(deploymentId);
  }

  /**
   * Has VS Code ask again: for the rows of these deployments and all below them, or for everything. A row that the filter lets in
   * or takes out is a change of the root: VS Code does not hear of rows that it never got.
   */
  refresh(deployments: StoreChange['deployments']): void {
    if (deployments === 'all' || this.elements.haveMoved(deployments, this.source.filter)) {
      this.refreshAll();
      return;
    }
    this.rows.add(deployments);
    const rows = this.rows.take();
    if (rows === 'all') this.refreshAll();
    else if (rows.length > 0) this.changed.fire([...rows]);
  }

  private refreshAll(): void {
    this.rows.clear();
    this.changed.fire(undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
