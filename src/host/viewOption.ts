import * as vscode from 'vscode';

/** An option of the Deployments view that this workspace stores: the filter, or the grouping. */
export class ViewOption {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  isOn: boolean;

  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly key: 'onlyProblems' | 'byAccount',
  ) {
    this.isOn = workspaceState.get<unknown>(key) === true;
  }

  /** Resolves when the option is stored. */
  async set(isOn: boolean): Promise<void> {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    // The view changes before the option is stored, and even if it cannot be stored.
    this.changed.fire();
    await this.workspaceState.update(this.key, isOn || undefined);
  }
}
