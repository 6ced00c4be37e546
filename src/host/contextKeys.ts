import * as vscode from 'vscode';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';

/** Sets `when`-clause contexts; each is sent to the window only when it changed (every one is a round trip). */
export class ContextKeys {
  private readonly values = new Map<string, string | number | boolean>();

  set(key: string, value: string | number | boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}

/** The facts that `when` clauses of the manifest read: which commands make sense now. */
export function registerContextFacts(
  services: Pick<Services, 'store' | 'installs' | 'filter' | 'grouping' | 'watches' | 'settings'>,
  keys: Pick<ContextKeys, 'set'>,
): vscode.Disposable {
  const { store, installs, filter, grouping, watches, settings } = services;
  const update = (): void => {
    keys.set(contextKeys.refreshing, store.progress !== undefined);
    keys.set(contextKeys.onlyProblems, filter.onlyProblems);
    keys.set(contextKeys.byAccount, grouping.byAccount);
    keys.set(contextKeys.hasDeployments, store.deployments.length > 0);
    keys.set(contextKeys.hasInstalls, installs.installs.length > 0);
    keys.set(contextKeys.watching, watches.ids.length > 0);
    keys.set(contextKeys.hasDashboard, settings.dashboardUrl !== '');
  };
  update();
  const sources = [store, installs, filter, grouping, watches, settings];
  return vscode.Disposable.from(...sources.map(({ onDidChange }) => onDidChange(update)));
}

/** Ticks a step of the walkthrough, which VS Code remembers. */
export function stepDone(key: 'hasSeenHover' | 'hasGoneToDeployment'): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], true);
}

/**
 * VS Code ticks a step of the walkthrough only when its `when` clause becomes true while the page is known. So each step has two
 * clauses, one for each value of this key, which changes whenever such a page (a tab of a kind unknown to extensions) is opened.
 */
export function registerWalkthroughBeat(): vscode.Disposable {
  let beat = false;
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (!opened.some((tab) => tab.input === undefined)) return;
    beat = !beat;
    void vscode.commands.executeCommand('setContext', contextKeys.walkthroughBeat, beat);
  });
}
