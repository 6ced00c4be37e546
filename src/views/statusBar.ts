import * as vscode from 'vscode';
import { productName, viewIds } from '../host/ids.js';
import type { Services } from '../host/services.js';
import { inertLabel, inertPlain } from '../model/inertText.js';
import { statusHover } from './hovers/statusHover.js';
import { statusSummary } from './statusSummary.js';

export type StatusBarServices = Pick<Services, 'store' | 'organizations' | 'settings'>;

/** The summary in the status bar, while the setting allows it. */
export function registerStatusBar(services: StatusBarServices): vscode.Disposable {
  const { store, organizations, settings } = services;
  let item: vscode.StatusBarItem | undefined;

  const update = (): void => {
    const summary = settings.statusBarEnabled ? statusSummary(organizations, store) : undefined;
    if (!summary) {
      item?.hide();
      return;
    }
    item ??= createItem();
    item.text = `$(${summary.icon}) ${inertLabel(summary.text)}`;
    item.tooltip = statusHover(organizations.current, store, summary.text);
    item.accessibilityInformation = {
      label: inertPlain(summary.spoken),
    };
    item.show();
  };

  const subscriptions = [
    store.onDidChange(update),
    organizations.onDidChange(update),
    settings.onDidChange(update),
    { dispose: () => item?.dispose() },
  ];
  update();
  return vscode.Disposable.from(...subscriptions);
}

function createItem(): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem('summary', vscode.StatusBarAlignment.Left, 40);
  item.name = productName;
  item.command = `${viewIds.deployments}.focus`;
  return item;
}
