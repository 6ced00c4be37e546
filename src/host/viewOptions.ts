import * as vscode from 'vscode';

const key = 'onlyProblems';

/** Show Only Problems, remembered per workspace. */
export class ProblemFilter implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private only: boolean;

  constructor(private readonly workspaceState: vscode.Memento) {
    this.only = workspaceState.get<unknown>(key) === true;
  }

  get onlyProblems(): boolean {
    return this.only;
  }

  async set(onlyProblems: boolean): Promise<void> {
    if (onlyProblems === this.only) return;
    this.only = onlyProblems;
    // The view follows at once; a state that can't be saved is no reason to refuse the filter.
    this.changed.fire();
    await this.workspaceState.update(key, onlyProblems || undefined);
  }

  dispose(): void {
    this.changed.dispose();
  }
}
