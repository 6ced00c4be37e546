import * as vscode from 'vscode';

/** The moving bar under a view's title, for as long as something is being read. */
export class RefreshProgress implements vscode.Disposable {
  private finish: (() => void) | undefined;

  constructor(private readonly viewId: string) {}

  show(running: boolean): void {
    if (!running) {
      this.finish?.();
      this.finish = undefined;
    } else if (!this.finish) {
      const finished = new Promise<void>((resolve) => {
        this.finish = resolve;
      });
      void vscode.window.withProgress({ location: { viewId: this.viewId } }, () => finished);
    }
  }

  dispose(): void {
    this.show(false);
  }
}
