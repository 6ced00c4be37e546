import * as vscode from 'vscode';
import type { Services } from '../host/services.js';
import { showErrors } from '../host/showErrors.js';
import { showErrorMessage } from '../host/showMessage.js';
import type { Step } from '../host/userError.js';
import { inertLabel, inertNotification } from '../model/inertText.js';

/** Room for a sentence with a base URL and a key id in it. */
const longest = 1500;

/**
 * A notification with buttons for what can be done next. Nobody waits for it: a command has ended when its work is done, not
 * when its message is closed.
 */
export function tell({ log }: Services, sentence: string, ...steps: readonly Step[]): void {
  void showErrors(log, async () => {
    const buttons = steps.map((step) => step.title);
    const chosen = await vscode.window.showInformationMessage(inertNotification(sentence, longest), ...buttons);
    const step = steps.find((candidate) => candidate.title === chosen);
    if (step) await vscode.commands.executeCommand(step.command, ...(step.arguments ?? []));
  })();
}

/** The same for what did not go as wished: with a button, VS Code leaves an error there until somebody closes it. */
export function tellTrouble({ log }: Services, sentence: string, step: Step, ...more: readonly Step[]): void {
  void showErrors(log, () => showErrorMessage(sentence, [step, ...more]))();
}

/** For what needs no answer: a few seconds in the status bar. */
export function mention(sentence: string): void {
  vscode.window.setStatusBarMessage(inertLabel(sentence, 200), 5000);
}

/** The question before a deed: a modal whose `button` has to be pressed. `lines` are its detail, one line each. */
export async function confirm(question: string, lines: readonly string[], button: string): Promise<boolean> {
  const detail = lines.map((line) => inertNotification(line, longest)).join('\n');
  const options = { modal: true, detail };
  const chosen = await vscode.window.showWarningMessage(inertNotification(question, longest), options, button);
  return chosen === button;
}
