import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import type { PendingInstall } from '../model/installs.js';
import { installHover } from './hovers/installHover.js';
import { installItem } from './installItem.js';

export type InstallsSource = Pick<Services, 'installs' | 'organizations'>;

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

  getTreeItem(install: PendingInstall): vscode.TreeItem {
    return installItem(install, Date.now());
  }

  resolveTreeItem(item: vscode.TreeItem, install: PendingInstall): vscode.TreeItem {
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
