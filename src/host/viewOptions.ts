import * as vscode from 'vscode';

class ViewOption {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  protected isOn: boolean;

  constructor(
    private readonly workspaceState: vscode.Memento,
    private readonly key: string,
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

export class ProblemFilter extends ViewOption {
  get onlyProblems(): boolean {
    return this.isOn;
  }
}

export class Grouping extends ViewOption {
  get byAccount(): boolean {
    return this.isOn;
  }
}
