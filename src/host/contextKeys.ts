import * as vscode from 'vscode';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';

/**
 * Sets a context key, by which the manifest shows commands and welcome texts, and completes steps
 * of the walkthrough.
 */
export function setContext(key: keyof typeof contextKeys, value: string | boolean): void {
  void vscode.commands.executeCommand('setContext', contextKeys[key], value);
}

/** Sets the context keys about views, lists, and settings, now and after each change. */
export function watchContextKeys(services: Services, setKey = setContext): vscode.Disposable {
  const { store, deploymentList, installs, filter, grouping, memory, settings } = services;
  const update = (): void => {
    setKey('refreshing', store.progress !== undefined);
    setKey('onlyProblems', filter.isOn);
    setKey('byAccount', grouping.by === 'account');
    setKey('byGroup', grouping.by === 'group');
    setKey('hasGroups', grouping.hasGroups);
    setKey('hasDeployments', store.deployments.length > 0);
    setKey('hasInstalls', installs.installs.length > 0);
    setKey('hasDashboard', settings.dashboardUrl !== '');
    setKey('notifying', memory.isNotifying);
  };
  update();
  const sources = [store, deploymentList, installs, filter, grouping, settings];
  return vscode.Disposable.from(
    ...sources.map((source) => source.onDidChange(update)),
    memory.onDidChangeNotifying(update),
  );
}
