import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { type Clock, setTimer } from '../../src/model/time.js';

/** A clock that somebody sets, or that goes on while the machine sleeps. Timers take as long as ever, as they do in both cases. */
export class JumpingClock implements Clock {
  private ahead = 0;
  readonly now = (): number => Date.now() + this.ahead;
  readonly setTimer = setTimer;

  jump(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}

/** A window that gets and loses the focus when it is told to. */
export class WindowWithFocus {
  private readonly changed = new vscode.EventEmitter<vscode.WindowState>();
  readonly onDidChangeWindowState = this.changed.event;
  state: vscode.WindowState = { focused: true, active: true };

  focus(focused: boolean): void {
    this.state = { focused, active: focused };
    this.changed.fire(this.state);
  }
}

/** Nobody is there: messages are closed at once. What shows its progress is cancelled whenever `cancels` says so. */
export function quietWindow(cancels: () => boolean): vscode.Disposable {
  const { window } = vscode;
  const original = new Map<string, unknown>();
  const replace = (name: keyof typeof vscode.window, value: unknown): void => {
    original.set(name, window[name]);
    Reflect.set(window, name, value);
  };
  for (const name of ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const) {
    replace(name, async () => undefined);
  }
  replace('withProgress', async (_options: unknown, task: Parameters<typeof window.withProgress>[1]) => {
    const cancelling = new vscode.CancellationTokenSource();
    if (cancels()) setTimeout(() => cancelling.cancel(), 20);
    try {
      return await task({ report: () => undefined }, cancelling.token);
    } finally {
      cancelling.dispose();
    }
  });
  return new vscode.Disposable(() => {
    for (const [name, value] of original) Reflect.set(window, name, value);
  });
}

/** Bytes in use once everything that can go is gone; what VS Code has under way at the moment is not ours. */
export async function heapInUse(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    collect();
    // Finalizers and closed sockets need a turn; a question to the window lets what it has sent be handled.
    await vscode.commands.executeCommand('setContext', 'automationPlatform.test', round);
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}
