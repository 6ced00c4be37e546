import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import type { PendingInstall } from '../model/installStore.js';

export type InstallsSource = Pick<Services, 'installs' | 'organizations'>;

/** What rows are made of is loaded with the first of them. */
export class InstallsProvider implements vscode.TreeDataProvider<PendingInstall>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<PendingInstall[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly source: InstallsSource) {}

  getChildren(element?: PendingInstall): PendingInstall[] {
    return element ? [] : [...this.source.installs.installs];
  }

  /** `reveal` asks for it. */
  getParent(): undefined {
    return undefined;
  }

  async getTreeItem(install: PendingInstall): Promise<vscode.TreeItem> {
    const { installItem } = await import('./installItem.js');
    return installItem(install, Date.now());
  }

  async resolveTreeItem(item: vscode.TreeItem, install: PendingInstall): Promise<vscode.TreeItem> {
    const { installHover } = await import('./hovers/installHover.js');
    item.tooltip = installHover(install, this.source.organizations.get(install.organizationId), Date.now());
    return item;
  }

  refresh(installs?: PendingInstall[]): void {
    this.changed.fire(installs);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
