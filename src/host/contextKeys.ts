import * as vscode from 'vscode';

/** Sets `when`-clause contexts; each is sent to the window only when it changed (every one is a round trip). */
export class ContextKeys {
  private readonly values = new Map<string, string | number | boolean>();

  set(key: string, value: string | number | boolean): void {
    if (this.values.get(key) === value) return;
    this.values.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
