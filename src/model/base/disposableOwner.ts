import type { Disposable } from './emitter.js';

/** Owns what it is made of: disposed of with it, the newest first. After `Disposable` in microsoft/vscode-hexeditor. */
export abstract class DisposableOwner implements Disposable {
  private readonly owned: Disposable[] = [];
  private isDisposed = false;

  dispose(): void {
    this.isDisposed = true;
    for (let newest = this.owned.pop(); newest; newest = this.owned.pop()) newest.dispose();
  }

  protected own<T extends Disposable>(one: T): T {
    if (this.isDisposed) one.dispose();
    else this.owned.push(one);
    return one;
  }
}
