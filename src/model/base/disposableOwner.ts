import type { Disposable } from './emitter.js';

/**
 * Owns disposables and disposes of them when it is disposed of, the newest first. A class that
 * holds listeners, timers, or such objects extends it. After `Disposable` in
 * microsoft/vscode-hexeditor.
 */
export abstract class DisposableOwner implements Disposable {
  private readonly owned: Disposable[] = [];
  private isDisposed = false;

  dispose(): void {
    this.isDisposed = true;
    while (this.owned.length > 0) {
      const newest = this.owned.pop();
      newest?.dispose();
    }
  }

  /** Returns the disposable, which is disposed of at once if its owner already is. */
  protected own<T extends Disposable>(disposable: T): T {
    if (this.isDisposed) disposable.dispose();
    else this.owned.push(disposable);
    return disposable;
  }
}
