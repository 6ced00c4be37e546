import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../api/timers.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import { inertLabel, inertNotification } from '../model/inertText.js';
import type { Action } from './actions.js';

/** Enough for a sentence, its next step, a base URL and a path. */
const maxMessageChars = 1500;
const spinnerAfterMs = 1000;
const progressAfterMs = 500;
/** VS Code closes the notification of a progress 800 ms after it has opened it, or later. */
const progressLastsMs = 900;

interface Choice extends Pick<Action, 'title'> {
  readonly run: () => PromiseLike<unknown>;
}

async function showWithButtons(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  actions: readonly (Action | Choice)[],
): Promise<void> {
  const chosen = await show(
    inertNotification(sentence, maxMessageChars),
    ...actions.map(({ title }) => title),
  );
  const action = actions.find(({ title }) => title === chosen);
  if (!action) return;
  try {
    if ('run' in action) await action.run();
    else await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  } catch (error) {
    // Our own commands show their errors themselves, so this one is VS Code's.
    const reason = messageOf(error);
    const failed = vscode.l10n.t('“{step}” failed: {reason}', { step: action.title, reason });
    await vscode.window.showErrorMessage(inertNotification(failed, maxMessageChars));
  }
}

/** A notification with buttons. A command does not wait for it: it ends with its work, not when its message is closed. */
export function showMessage(sentence: string, ...actions: readonly (Action | Choice)[]): void {
  void showWithButtons(vscode.window.showInformationMessage, sentence, actions);
}

export function showWarning(sentence: string, actions: readonly Action[]): void {
  void showWithButtons(vscode.window.showWarningMessage, sentence, actions);
}

export function showErrorMessage(sentence: string, actions: readonly (Action | Choice)[]): void {
  void showWithButtons(vscode.window.showErrorMessage, sentence, actions);
}

export function showStatusBarMessage(sentence: string): void {
  vscode.window.setStatusBarMessage(inertLabel(sentence, 200), 5000);
}

/**
 * Resolves or rejects as the work does, for a wait that cannot be cancelled. A spinner turns in the status bar once the
 * work takes longer than a second, so that none flashes.
 */
export async function withSpinner<R>(
  title: string,
  work: Promise<R>,
  setTimer = realTimer,
): Promise<R> {
  const options = { location: vscode.ProgressLocation.Window, title: inertLabel(title) };
  const show = async (): Promise<void> => {
    await vscode.window.withProgress(options, () => Promise.allSettled([work]));
  };
  // Without a spinner the work goes on all the same.
  const timer = setTimer(() => void show().catch(() => undefined), spinnerAfterMs);
  try {
    return await work;
  } finally {
    timer.dispose();
  }
}

/**
 * Resolves or rejects as the work does, but not before its notification is closed, since the next message tells of the
 * result. The notification comes once the work takes longer than half a second.
 */
export async function withProgress<R>(
  title: string,
  work: (report: (message: string) => void, cancellation: vscode.CancellationToken) => Promise<R>,
  setTimer = realTimer,
): Promise<R> {
  const notification = new ProgressNotification(
    inertNotification(title, maxMessageChars),
    setTimer,
  );
  const working = work(
    (message) => notification.report(inertNotification(message)),
    notification.cancellation,
  );
  const timer = setTimer(
    () => notification.showUntil(Promise.allSettled([working])),
    progressAfterMs,
  );
  try {
    return await working;
  } finally {
    timer.dispose();
    await notification.closed;
    notification.dispose();
  }
}

type Progress = vscode.Progress<{ readonly message: string }>;

/** The notification of some work, which may end before it is shown. */
class ProgressNotification extends DisposableOwner {
  private readonly cancel = this.own(new vscode.CancellationTokenSource());
  private message = '';
  private progress: Progress | undefined;
  readonly cancellation = this.cancel.token;
  /** Settles when it is no longer shown, also if it never was. */
  closed: Promise<void> = Promise.resolve();

  constructor(
    private readonly title: string,
    private readonly setTimer: SetTimer,
  ) {
    super();
  }

  report(message: string): void {
    this.message = message;
    this.progress?.report({ message });
  }

  showUntil(end: Promise<unknown>): void {
    const { title, setTimer } = this;
    const options = { title, cancellable: true, location: vscode.ProgressLocation.Notification };
    this.closed = new Promise((close) => {
      const work = (
        progress: Progress,
        cancellation: vscode.CancellationToken,
      ): Promise<unknown> => {
        this.progress = progress;
        if (this.message !== '') this.report(this.message);
        this.own(setTimer(close, progressLastsMs));
        const stop = (): void => {
          this.cancel.cancel();
          // VS Code does so at once.
          close();
        };
        if (cancellation.isCancellationRequested) stop();
        else this.own(cancellation.onCancellationRequested(stop));
        return end;
      };
      const show = async (): Promise<void> => {
        await vscode.window.withProgress(options, work);
      };
      show().catch(() => close());
    });
  }
}

export async function confirm(
  question: string,
  lines: readonly string[],
  button: string,
): Promise<boolean> {
  return (await chooseButton(question, lines, button)) === button;
}

/** Returns one of these buttons; `undefined` if the user cancels, for which VS Code adds a button. */
export function chooseButton(
  question: string,
  lines: readonly string[],
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  const detail = lines.map((line) => inertNotification(line, maxMessageChars)).join('\n');
  const options = { modal: true, detail };
  return vscode.window.showWarningMessage(
    inertNotification(question, maxMessageChars),
    options,
    ...buttons,
  );
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
