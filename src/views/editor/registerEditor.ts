import * as vscode from 'vscode';
import type { EditorServices } from './editorFeatures.js';
import type { NewProblemsServices } from './newProblems.js';

/**
 * What people see of problems in their files. Nothing of it is loaded before there is an id to look for: a window without a
 * list, or without an organization, pays nothing.
 */
export function registerEditor(
  services: EditorServices & NewProblemsServices,
  mentioned: (deploymentIds: ReadonlySet<string>) => void,
): vscode.Disposable {
  const { store, log } = services;
  let features: vscode.Disposable | undefined;
  let disposed = false;

  const load = async (): Promise<void> => {
    const [{ editorFeatures }, { registerNewProblems }] = await Promise.all([
      import('./editorFeatures.js'),
      import('./newProblems.js'),
    ]);
    if (disposed) return;
    features = vscode.Disposable.from(editorFeatures(services, mentioned), registerNewProblems(services));
  };
  const loadOnce = (): void => {
    if (store.deployments.length === 0) return;
    waiting.dispose();
    load().catch((error: unknown) => log.error(`What belongs to editors could not be loaded: ${String(error)}`));
  };
  const waiting = store.onDidChange(loadOnce);
  loadOnce();
  return vscode.Disposable.from(waiting, {
    dispose() {
      disposed = true;
      features?.dispose();
    },
  });
}
