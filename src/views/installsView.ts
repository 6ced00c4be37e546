import * as vscode from 'vscode';
import { viewIds } from '../host/ids.js';
import { timeLeft } from '../model/timeLeft.js';
import { InstallsProvider, type InstallsSource } from './installsProvider.js';

/** Looked-up pending installs, counting down. */
export function registerInstallsView(services: InstallsSource): vscode.Disposable {
  const provider = new InstallsProvider(services);
  const view = vscode.window.createTreeView(viewIds.installs, { treeDataProvider: provider });
  let timer: NodeJS.Timeout | undefined;

  /** One timer for the row whose words change next; none while nobody looks. Asks nothing of the service. */
  const countDown = (): void => {
    clearTimeout(timer);
    if (!view.visible) return;
    const now = Date.now();
    const changes = services.installs.installs.flatMap((install) => {
      const left = timeLeft(install.expiresAt, now);
      return left.kind === 'unknown' ? [] : [{ install, at: left.nextChange }];
    });
    if (changes.length === 0) return;
    const next = Math.min(...changes.map(({ at }) => at));
    timer = setTimeout(
      () => {
        const due = Date.now();
        provider.refresh(changes.filter(({ at }) => at <= due).map(({ install }) => install));
        countDown();
      },
      // Never zero, and never longer than a timer can wait.
      Math.min(Math.max(next - now, 50), longestWait),
    );
  };

  const redraw = (): void => {
    if (view.visible) provider.refresh();
    countDown();
  };
  const subscriptions = [
    view,
    provider,
    services.installs.onDidChange(redraw),
    view.onDidChangeVisibility(redraw),
    { dispose: () => clearTimeout(timer) },
  ];
  countDown();
  return vscode.Disposable.from(...subscriptions);
}

const longestWait = 24 * 60 * 60 * 1000;
