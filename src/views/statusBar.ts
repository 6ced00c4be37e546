import * as vscode from 'vscode';
import { productName, viewIds } from '../host/ids.js';
import { lazy } from '../host/lazy.js';
import type { Services } from '../host/services.js';
import { missingOrganization, type StatusSummary } from './missingOrganization.js';

export type StatusBarServices = Pick<Services, 'store' | 'organizations' | 'settings'>;

interface Shown {
  readonly summary: StatusSummary;
  readonly tooltip: string | vscode.MarkdownString;
}

/** The summary in the status bar, while the setting allows it. */
export function registerStatusBar(services: StatusBarServices): vscode.Disposable {
  const { store, organizations, settings } = services;
  let item: vscode.StatusBarItem | undefined;
  let disposed = false;

  // The words for deployments are loaded with the first that has to be said of one.
  let shownOf: ((services: StatusBarServices) => Shown | undefined) | undefined;
  const load = lazy(async () => {
    ({ shownOf } = await import('./statusShown.js'));
    if (!disposed) update();
  });

  const look = (): Shown | undefined => {
    if (!organizations.current) {
      const summary = missingOrganization(organizations.missing);
      // The setting is asked last: VS Code takes a millisecond for a window's first one, and a start has nothing to show yet.
      return summary && settings.statusBarEnabled ? { summary, tooltip: summary.text } : undefined;
    }
    if (!settings.statusBarEnabled || store.counts.total === 0) return undefined;
    if (!shownOf) void load();
    return shownOf?.(services);
  };

  const update = (): void => {
    const shown = look();
    if (!shown) {
      item?.hide();
      return;
    }
    const { summary, tooltip } = shown;
    item ??= createItem();
    item.text = `$(${summary.icon}) ${summary.text}`;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: summary.spoken };
    item.show();
  };

  const subscriptions = [
    store.onDidChange(update),
    organizations.onDidChange(update),
    settings.onDidChange(update),
    {
      dispose() {
        disposed = true;
        item?.dispose();
      },
    },
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
