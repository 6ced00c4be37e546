import * as vscode from 'vscode';
import { viewIds } from '../host/ids.js';
import { lazy } from '../host/lazy.js';
import type { CountDown } from './countDown.js';
import { InstallsProvider, type InstallsSource } from './installsProvider.js';

/** Looked-up pending installs, counting down. */
export function registerInstallsView(services: InstallsSource): vscode.Disposable {
  const provider = new InstallsProvider(services);
  const view = vscode.window.createTreeView(viewIds.installs, { treeDataProvider: provider });
  let countDown: CountDown | undefined;
  let disposed = false;
  // There is nothing to count before somebody has looked one up.
  const startCountDown = lazy(async () => {
    const { CountDown: CountDownClass } = await import('./countDown.js');
    if (!disposed) countDown = new CountDownClass(view, services.installs, (installs) => provider.refresh(installs));
  });
  const redraw = (): void => {
    if (view.visible) provider.refresh();
    if (countDown) countDown.restart();
    else if (services.installs.installs.length > 0) void startCountDown();
  };
  return vscode.Disposable.from(
    view,
    provider,
    {
      dispose() {
        disposed = true;
        countDown?.dispose();
      },
    },
    services.installs.onDidChange(redraw),
    view.onDidChangeVisibility(redraw),
  );
}
