import * as vscode from 'vscode';

const savedKey = 'onlyProblems';

/** Whether the Deployments view hides healthy deployments. Saves that in this workspace. */
export class HideHealthy {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  isOn: boolean;

  constructor(private readonly workspaceState: vscode.Memento) {
    this.isOn = workspaceState.get<unknown>(savedKey) === true;
  }

  /** Resolves when that is saved. */
  async set(isOn: boolean): Promise<void> {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    // The view changes before this is saved, and even if it cannot be saved.
    this.changed.fire();
    await this.workspaceState.update(savedKey, isOn || undefined);
  }
}
