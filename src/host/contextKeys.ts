import * as vscode from 'vscode';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';

export function setContext(key: keyof typeof contextKeys, value: string | boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], value);
}

export function watchContextKeys(services: Services, send = setContext): vscode.Disposable {
  const { store, installs, filter, grouping, memory, settings } = services;
  const update = (): void => {
    send('refreshing', store.progress !== undefined);
    send('onlyProblems', filter.isOn);
    send('byAccount', grouping.isOn);
    send('hasDeployments', store.deployments.length > 0);
    send('hasInstalls', installs.installs.length > 0);
    send('hasDashboard', settings.dashboardUrl !== '');
    send('notifying', memory.isNotifying);
  };
  update();
  const sources = [store, installs, filter, grouping, settings];
  return vscode.Disposable.from(
    ...sources.map(({ onDidChange }) => onDidChange(update)),
    memory.onDidChangeNotifying(update),
  );
}
