import * as vscode from 'vscode';
import { viewIds } from '../host/ids.js';
import { CountDown } from './countDown.js';
import { InstallsProvider, type InstallsSource } from './installsProvider.js';

/** Looked-up pending installs, counting down. */
export function registerInstallsView(services: InstallsSource): vscode.Disposable {
  const provider = new InstallsProvider(services);
  const view = vscode.window.createTreeView(viewIds.installs, { treeDataProvider: provider });
  const countDown = new CountDown(view, services.installs, (installs) => provider.refresh(installs));
  const redraw = (): void => {
    if (view.visible) provider.refresh();
    countDown.restart();
  };
  return vscode.Disposable.from(
    view,
    provider,
    countDown,
    services.installs.onDidChange(redraw),
    view.onDidChangeVisibility(redraw),
  );
}
