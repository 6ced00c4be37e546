import * as vscode from 'vscode';
import { ApiError } from '../api/failure.js';
import { showLogAction, UserError } from './actions.js';
import type { Log } from './log.js';
import { messageOf, showErrorMessage } from './messages.js';
import { failureWords } from './text/failure.js';

type ErrorLog = Pick<Log, 'warn' | 'error' | 'redact'>;

/**
 * Shows an error to the user and logs it, unless it is a cancellation. Of a `UserError`, logs only
 * the `logLine`. Does not wait for the user.
 */
export function showError(log: ErrorLog, error: unknown): void {
  if (isCancellation(error)) return;
  if (error instanceof UserError) {
    if (error.logLine !== undefined) log.warn(error.logLine);
    return showErrorMessage(error.message, error.actions);
  }
  const logText = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(logText.replace(/\s*\n\s*/g, ' '));
  const reason = error instanceof ApiError ? failureWords(error.failure).word : messageOf(error);
  showErrorMessage(unexpectedErrorText(log.redact(reason)), [showLogAction]);
}

/** "Unexpected error: Cannot read properties of undefined. See the log for details." */
function unexpectedErrorText(reason: string): string {
  if (reason === '') return vscode.l10n.t('Unexpected error. See the log for details.');
  return vscode.l10n.t('Unexpected error: {reason}. See the log for details.', {
    reason: reason.replace(/\.$/, ''),
  });
}

function isCancellation(error: unknown): boolean {
  if (error instanceof ApiError) return error.failure.kind === 'cancelled';
  // VS Code's own cancellations arrive from the window as plain errors with one of these names.
  return error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError');
}

/**
 * Resolves as the work does. If the work fails, shows the error with `showError()`, and resolves
 * with `undefined`.
 */
export async function showErrors<R>(
  log: ErrorLog,
  work: () => R | PromiseLike<R>,
): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    showError(log, error);
    return undefined;
  }
}
