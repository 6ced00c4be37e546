import * as vscode from 'vscode';
import { ContextKeys } from './contextKeys.js';
import { contextKeys } from './ids.js';
import type { Services } from './services.js';
import { registerWalkthroughBeat } from './walkthroughSteps.js';

/** The facts that `when` clauses of the manifest read: which commands make sense now. */
export function registerContextFacts(
  services: Pick<Services, 'organizations' | 'store' | 'installs' | 'filter'>,
): vscode.Disposable {
  const { organizations, store, installs, filter } = services;
  const keys = new ContextKeys();
  const update = (): void => {
    keys.set(contextKeys.signedIn, organizations.current !== undefined);
    keys.set(contextKeys.refreshing, store.progress !== undefined);
    keys.set(contextKeys.onlyProblems, filter.onlyProblems);
    keys.set(contextKeys.hasDeployments, store.deployments.length > 0);
    keys.set(contextKeys.hasInstalls, installs.installs.length > 0);
  };
  // The change that comes with them tells the rest: at activation every fact would be said twice.
  if (organizations.missing !== 'loading') update();
  return vscode.Disposable.from(
    organizations.onDidChange(update),
    store.onDidChange(update),
    installs.onDidChange(update),
    filter.onDidChange(update),
    registerWalkthroughBeat(),
  );
}
