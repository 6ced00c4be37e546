import * as vscode from 'vscode';
import type { ContextKeys } from './contextKeys.js';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';

/** The facts that `when` clauses of the manifest read: which commands make sense now. */
export function registerContextFacts(
  services: Pick<Services, 'store' | 'installs' | 'filter'>,
  keys: ContextKeys,
): vscode.Disposable {
  const { store, installs, filter } = services;
  const update = (): void => {
    keys.set(contextKeys.refreshing, store.progress !== undefined);
    keys.set(contextKeys.onlyProblems, filter.onlyProblems);
    keys.set(contextKeys.hasDeployments, store.deployments.length > 0);
    keys.set(contextKeys.hasInstalls, installs.installs.length > 0);
  };
  update();
  return vscode.Disposable.from(store.onDidChange(update), installs.onDidChange(update), filter.onDidChange(update));
}
