import * as vscode from 'vscode';
import { productName, viewIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { inertLabel, inertPlain } from '../model/inertText.js';
import { statusHover } from './hovers/statusHover.js';
import { statusSummary } from './statusSummary.js';

type StatusBarServices = Pick<Services, 'store' | 'organizations' | 'deploymentList' | 'settings'>;

/** The summary in the status bar, while the setting allows it and something is listed. */
export class StatusBar implements vscode.Disposable {
  private item: vscode.StatusBarItem | undefined;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly services: StatusBarServices) {
    const update = () => this.update();
    const { store, organizations, deploymentList, settings } = services;
    this.subscriptions = [store, organizations, deploymentList, settings].map((one) => one.onDidChange(update));
    update();
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.item?.dispose();
  }

  private update(): void {
    const { store, organizations, deploymentList, settings } = this.services;
    const listsNothing = store.counts.total === 0 && deploymentList.listed.length === 0;
    const summary = settings.statusBarEnabled && !listsNothing ? statusSummary(organizations, store) : undefined;
    if (!summary) {
      this.item?.hide();
      return;
    }
    const { icon, text, spoken } = summary;
    this.item ??= createItem();
    this.item.text = `$(${icon}) ${inertLabel(text)}`;
    this.item.tooltip = organizations.current ? statusHover(organizations.current, store) : text;
    this.item.accessibilityInformation = { label: inertPlain(spoken) };
    this.item.show();
  }
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = productName;
  item.command = `${viewIds.deployments}.focus`;
  return item;
}
