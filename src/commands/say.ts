import * as vscode from 'vscode';
import type { Step } from '../host/text/step.js';
import { inertLabel, inertNotification } from '../model/inertText.js';

/** Long enough for a sentence with a base URL and a key id in it. */
const longestSentence = 1500;

/**
 * A notification with buttons for what can be done next. Nobody waits for it: a command has ended when its work is done, not
 * when its message is closed.
 */
export function tell(sentence: string, ...steps: readonly Step[]): void {
  void offer(vscode.window.showInformationMessage, sentence, steps);
}

/** The same for what did not go as wished; with a button it stays until somebody closes it. */
export function tellTrouble(sentence: string, ...steps: readonly Step[]): void {
  void offer(vscode.window.showErrorMessage, sentence, steps);
}

async function offer(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  steps: readonly Step[],
): Promise<void> {
  const chosen = await show(inertNotification(sentence, longestSentence), ...steps.map((step) => step.title));
  const step = steps.find((candidate) => candidate.title === chosen);
  if (step) await vscode.commands.executeCommand(step.command, ...(step.arguments ?? []));
}

/** For what needs no answer: a few seconds in the status bar. */
export function mention(sentence: string): void {
  vscode.window.setStatusBarMessage(inertLabel(sentence, 200), 5000);
}

/** The question before a deed: a modal whose `button` has to be pressed. `lines` are its detail, one line each. */
export async function confirm(question: string, lines: readonly string[], button: string): Promise<boolean> {
  const detail = lines.map((line) => inertNotification(line, longestSentence)).join('\n');
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(inertNotification(question, longestSentence), options, button);
  return chosen === button;
}
