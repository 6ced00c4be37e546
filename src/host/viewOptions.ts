import * as vscode from 'vscode';

/** Show Only Problems, remembered per workspace. */
export interface ProblemFilter {
  readonly onDidChange: vscode.Event<void>;
  readonly onlyProblems: boolean;
  set(onlyProblems: boolean): Promise<void>;
}

const key = 'onlyProblems';

/** Show Only Problems, remembered per workspace. */
export function createProblemFilter(workspaceState: vscode.Memento): ProblemFilter & vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let onlyProblems = workspaceState.get<unknown>(key) === true;
  return {
    onDidChange: changed.event,
    get onlyProblems() {
      return onlyProblems;
    },
    async set(value) {
      if (value === onlyProblems) return;
      onlyProblems = value;
      // The view follows at once; a state that can't be saved is no reason to refuse the filter.
      changed.fire();
      await workspaceState.update(key, value || undefined);
    },
    dispose: () => changed.dispose(),
  };
}
