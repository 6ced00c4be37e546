import * as vscode from 'vscode';
import { inertNotification } from '../model/inertText.js';
import type { Step } from './userError.js';

/** Room for a sentence with its next step, a base URL and a path in it. */
const longest = 1500;

/** Resolves when the message is gone and its chosen step is done. */
export async function showWarning(sentence: string, steps: readonly Step[]): Promise<void> {
  await offer(vscode.window.showWarningMessage, sentence, steps);
}

export async function showErrorMessage(sentence: string, steps: readonly Step[]): Promise<void> {
  await offer(vscode.window.showErrorMessage, sentence, steps);
}

async function offer(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  steps: readonly Step[],
): Promise<void> {
  const chosen = await show(inertNotification(sentence, longest), ...steps.map(({ title }) => title));
  const step = steps.find(({ title }) => title === chosen);
  if (!step) return;
  try {
    await vscode.commands.executeCommand(step.command, ...(step.arguments ?? []));
  } catch (error) {
    // Only VS Code's own commands get here: ours show their errors themselves.
    const reason = error instanceof Error ? error.message : String(error);
    const failed = vscode.l10n.t('“{step}” did not work: {reason}', { step: step.title, reason });
    await vscode.window.showErrorMessage(inertNotification(failed, longest));
  }
}
