import * as vscode from 'vscode';
import { UserError } from './actions.js';
import type { Log } from './log.js';
import { showErrorMessage } from './messages.js';

/** The part of the extension that is loaded when it is first needed. After a failure the next use tries again. */
export class Late<T extends vscode.Disposable> implements vscode.Disposable {
  private loading: Promise<T> | undefined;
  private loaded: T | undefined;
  private disposed = false;

  constructor(
    private readonly make: () => Promise<T>,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** Rejects with what a person is told; why it can't be loaded is in the log. */
  get(): Promise<T> {
    this.loading ??= this.load();
    return this.loading;
  }

  /** Loads it although nobody asked, so a failure is only logged. */
  start(): void {
    this.get().catch(() => undefined);
  }

  /** Does what a person asked for, or shows that it can't be loaded. */
  async run<R>(work: (loaded: T) => R | Promise<R>): Promise<R | undefined> {
    let loaded: T;
    try {
      loaded = await this.get();
    } catch (error) {
      // Nobody waits until the message is closed.
      if (error instanceof UserError) void showErrorMessage(error.message, error.actions);
      return undefined;
    }
    return work(loaded);
  }

  dispose(): void {
    this.disposed = true;
    this.loaded?.dispose();
  }

  private async load(): Promise<T> {
    try {
      this.loaded = await this.make();
    } catch (error) {
      this.loading = undefined;
      this.log.error(`A part of the extension could not be loaded: ${String(error)}`);
      throw notLoaded();
    }
    if (this.disposed) {
      this.loaded.dispose();
      throw new vscode.CancellationError();
    }
    return this.loaded;
  }
}

function notLoaded(): UserError {
  return new UserError(
    vscode.l10n.t(
      'A part of the extension could not be loaded, so nothing was sent and nothing was changed. Try again, or reload the window.',
    ),
    [{ title: vscode.l10n.t('Reload Window'), command: 'workbench.action.reloadWindow' }],
  );
}
