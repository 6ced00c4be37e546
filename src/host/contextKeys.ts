import * as vscode from 'vscode';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';

export function setContext(key: keyof typeof contextKeys, value: string | boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], value);
}

export function registerContextFacts(services: Services, send = setContext): vscode.Disposable {
  const { store, installs, filter, grouping, watches, settings } = services;
  const sent = new Map<string, boolean>();
  // VS Code sends each one to the window, even of the same value.
  const set = (key: keyof typeof contextKeys, value: boolean): void => {
    if (sent.get(key) !== value) send(key, value);
    sent.set(key, value);
  };
  const update = (): void => {
    set('refreshing', store.progress !== undefined);
    set('onlyProblems', filter.onlyProblems);
    set('byAccount', grouping.byAccount);
    set('hasDeployments', store.deployments.length > 0);
    set('hasInstalls', installs.installs.length > 0);
    set('watching', watches.ids.length > 0);
    set('hasDashboard', settings.dashboardUrl !== '');
  };
  update();
  const sources = [store, installs, filter, grouping, watches, settings];
  return vscode.Disposable.from(...sources.map(({ onDidChange }) => onDidChange(update)));
}
