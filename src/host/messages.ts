import * as vscode from 'vscode';
import { inertLabel, inertNotification } from '../model/inertText.js';
import type { Action } from './actions.js';

/** Room for a sentence with its next step, a base URL and a path in it. */
const longest = 1500;

async function offer(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  actions: readonly Action[],
): Promise<void> {
  const chosen = await show(inertNotification(sentence, longest), ...actions.map(({ title }) => title));
  const action = actions.find(({ title }) => title === chosen);
  if (!action) return;
  try {
    await vscode.commands.executeCommand(action.command, ...(action.arguments ?? []));
  } catch (error) {
    // Our own commands show their errors themselves, so this one is of VS Code.
    const reason = messageOf(error);
    const failed = vscode.l10n.t('“{step}” failed: {reason}', { step: action.title, reason });
    await vscode.window.showErrorMessage(inertNotification(failed, longest));
  }
}

/** A notification with buttons. Nobody waits for it, since a command ends when its work is done, not when its message is closed. */
export function tell(sentence: string, ...actions: readonly Action[]): void {
  void offer(vscode.window.showInformationMessage, sentence, actions);
}

export function showWarning(sentence: string, actions: readonly Action[]): void {
  void offer(vscode.window.showWarningMessage, sentence, actions);
}

export function showErrorMessage(sentence: string, actions: readonly Action[]): void {
  void offer(vscode.window.showErrorMessage, sentence, actions);
}

/** A few seconds in the status bar, for what needs no answer. */
export function mention(sentence: string): void {
  vscode.window.setStatusBarMessage(inertLabel(sentence, 200), 5000);
}

/** Asks in a modal whose `button` has to be pressed. `lines` are its detail, one line each. */
export async function confirm(question: string, lines: readonly string[], button: string): Promise<boolean> {
  const detail = lines.map((line) => inertNotification(line, longest)).join('\n');
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(inertNotification(question, longest), options, button);
  return chosen === button;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
