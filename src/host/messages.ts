import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../api/timers.js';
import { DisposableOwner } from '../model/base/disposableOwner.js';
import { inertLabel, inertNotification } from '../model/inertText.js';
import type { Action } from './actions.js';

/** Enough for a sentence, its next step, a base URL and a path. */
const maxMessageChars = 1500;
const maxStatusBarChars = 200;
const statusBarMessageMs = 5000;
const spinnerAfterMs = 1000;
const progressAfterMs = 500;
/** VS Code shows the notification of a progress for at least 800 ms. */
const minShownMs = 900;

/** A button that runs a function instead of a command. */
interface FunctionButton extends Pick<Action, 'title'> {
  readonly run: () => PromiseLike<unknown>;
}

type Button = Action | FunctionButton;

/** Resolves when the user has closed the message, or the chosen button has done its work. */
async function showWithButtons(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  buttons: readonly Button[],
): Promise<void> {
  const message = inertNotification(sentence, maxMessageChars);
  const chosenTitle = await show(message, ...buttons.map(({ title }) => title));
  const button = buttons.find(({ title }) => title === chosenTitle);
  if (!button) return;
  try {
    if ('run' in button) await button.run();
    else await vscode.commands.executeCommand(button.command, ...(button.arguments ?? []));
  } catch (error) {
    // Our own commands show their errors themselves, so this is an error of VS Code.
    const failed = buttonFailedText(button.title, messageOf(error));
    await vscode.window.showErrorMessage(inertNotification(failed, maxMessageChars));
  }
}

/** "“Open Settings” failed: The file was not found." */
function buttonFailedText(step: string, reason: string): string {
  return vscode.l10n.t('“{step}” failed: {reason}', { step, reason });
}

/**
 * Shows a notification with buttons. A command does not wait for it: the command ends with its
 * work, not when the user closes its message.
 */
export function showMessage(sentence: string, ...buttons: readonly Button[]): void {
  void showWithButtons(vscode.window.showInformationMessage, sentence, buttons);
}

/** Shows a warning with buttons, and does not wait for the user. */
export function showWarning(sentence: string, buttons: readonly Action[]): void {
  void showWithButtons(vscode.window.showWarningMessage, sentence, buttons);
}

/** Shows an error with buttons, and does not wait for the user. */
export function showErrorMessage(sentence: string, buttons: readonly Button[]): void {
  void showWithButtons(vscode.window.showErrorMessage, sentence, buttons);
}

/** Shows a sentence in the status bar for five seconds. */
export function showStatusBarMessage(sentence: string): void {
  vscode.window.setStatusBarMessage(inertLabel(sentence, maxStatusBarChars), statusBarMessageMs);
}

/**
 * Resolves or rejects as the work does, for a wait that cannot be cancelled. Shows a spinner in the
 * status bar once the work takes longer than a second, so that no spinner flashes.
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
  const timer = setTimer(() => {
    void show().catch(() => undefined);
  }, spinnerAfterMs);
  try {
    return await work;
  } finally {
    timer.dispose();
  }
}

/**
 * Resolves or rejects as the work does, but not before its notification is closed, since the next
 * message is about the result. The notification appears once the work takes longer than half a
 * second.
 * @param work gets a function that shows a message in the notification, and a token that is
 * cancelled when the user cancels.
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
  const report = (message: string): void => notification.report(inertNotification(message));
  const working = work(report, notification.cancellation);
  const timer = setTimer(
    () => notification.showUntil(Promise.allSettled([working])),
    progressAfterMs,
  );
  try {
    return await working;
  } finally {
    timer.dispose();
    await notification.mayClose;
    notification.dispose();
  }
}

type Progress = vscode.Progress<{ readonly message: string }>;

/**
 * The notification of some work, which may end before the notification is shown. `withProgress()`
 * makes one for each work. Owns the token that is cancelled when the user cancels.
 */
class ProgressNotification extends DisposableOwner {
  private readonly cancellationSource = this.own(new vscode.CancellationTokenSource());
  /** The last message, which is shown as soon as the notification is. */
  private message = '';
  /** `undefined` until the notification is shown. */
  private progress: Progress | undefined;
  readonly cancellation = this.cancellationSource.token;
  /**
   * Resolves when VS Code closes the notification as soon as the work ends: it has been shown long
   * enough, was never shown, or the user has cancelled.
   */
  mayClose: Promise<void> = Promise.resolve();

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

  /** Shows the notification until `end` settles or the user cancels, but not for a moment only. */
  showUntil(end: Promise<unknown>): void {
    const { title, setTimer } = this;
    const options = { title, cancellable: true, location: vscode.ProgressLocation.Notification };
    this.mayClose = new Promise((allowClosing) => {
      const onShown = (
        progress: Progress,
        cancellation: vscode.CancellationToken,
      ): Promise<unknown> => {
        this.progress = progress;
        if (this.message !== '') this.report(this.message);
        this.own(setTimer(allowClosing, minShownMs));
        this.whenCancelled(cancellation, () => {
          this.cancellationSource.cancel();
          // VS Code closes the notification at once.
          allowClosing();
        });
        return end;
      };
      const show = async (): Promise<void> => {
        await vscode.window.withProgress(options, onShown);
      };
      show().catch(() => allowClosing());
    });
  }

  /** The user may have cancelled before VS Code hands over the token. */
  private whenCancelled(cancellation: vscode.CancellationToken, onCancel: () => void): void {
    if (cancellation.isCancellationRequested) onCancel();
    else this.own(cancellation.onCancellationRequested(onCancel));
  }
}

/** Resolves with whether the user chose the button of a modal question. */
export async function confirm(
  question: string,
  lines: readonly string[],
  button: string,
): Promise<boolean> {
  const chosen = await chooseButton(question, lines, button);
  return chosen === button;
}

/**
 * Asks a modal question. Resolves with the chosen button; `undefined` if the user cancels, for
 * which VS Code adds a button. `lines`: the details below the question.
 */
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

/** Returns the message of an error, or the text of any other value that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
