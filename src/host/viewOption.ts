import * as vscode from 'vscode';

/** A switch of the Deployments view that this workspace keeps: the filter, or the grouping. */
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

  async set(isOn: boolean): Promise<void> {
    if (isOn === this.isOn) return;
    this.isOn = isOn;
    // The view follows at once; a state that can't be saved is no reason to refuse the option.
    this.changed.fire();
    await this.workspaceState.update(this.key, isOn || undefined);
  }
}
