import type * as vscode from 'vscode';
import type { PendingInstall } from '../model/installs.js';
import { type Clock, systemClock } from '../model/time.js';
import { CountDown } from './countDown.js';
import { InstallsProvider, type InstallsSource } from './installsProvider.js';

/** Looked-up pending installs, counting down. */
export class InstallsView implements vscode.Disposable {
  readonly rows: InstallsProvider;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(services: InstallsSource, view: vscode.TreeView<PendingInstall>, clock: Clock = systemClock) {
    const rows = new InstallsProvider(services);
    const countDown = new CountDown(view, services.installs, (installs) => rows.refresh(installs), clock);
    const redraw = (): void => {
      if (view.visible) rows.refresh();
      countDown.restart();
    };
    this.rows = rows;
    this.subscriptions = [rows, countDown, services.installs.onDidChange(redraw), view.onDidChangeVisibility(redraw)];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
