import * as vscode from 'vscode';
import { ApiError } from '../api/failure.js';
import { showLogAction, UserError } from './actions.js';
import type { Log } from './log.js';
import { messageOf, showErrorMessage } from './messages.js';
import { failureWord } from './text/failure.js';

type ErrorLog = Pick<Log, 'warn' | 'error' | 'redact'>;

/** Shows one error with the buttons of its next steps. Resolves when it is closed. */
export async function showError(log: ErrorLog, error: unknown): Promise<void> {
  if (isCancellation(error)) return;
  if (error instanceof UserError) {
    log.warn(error.message);
    return showErrorMessage(error.message, error.actions);
  }
  log.error(describe(error));
  const reason = log.redact(error instanceof ApiError ? failureWord(error.failure) : messageOf(error));
  const sentence = reason
    ? vscode.l10n.t('Unexpected error: {reason}. See the log for details.', { reason: reason.replace(/\.$/, '') })
    : vscode.l10n.t('Unexpected error. See the log for details.');
  await showErrorMessage(sentence, [showLogAction]);
}

function isCancellation(error: unknown): boolean {
  if (error instanceof vscode.CancellationError) return true;
  if (error instanceof ApiError) return error.failure.kind === 'cancelled';
  // VS Code's own cancellations arrive from the window as plain errors.
  return error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError');
}

/** One line for the log. */
function describe(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replace(/\s*\n\s*/g, ' ');
}

/**
 * Runs a command's body and shows its error, if it was not cancelled. Resolves when the body has ended, not when the message is
 * closed; with `undefined` after an error.
 */
export function showErrors<A extends unknown[], R>(
  log: ErrorLog,
  body: (...args: A) => R | PromiseLike<R>,
): (...args: A) => Promise<R | undefined> {
  return async (...args) => {
    try {
      return await body(...args);
    } catch (error) {
      void showError(log, error);
      return undefined;
    }
  };
}
