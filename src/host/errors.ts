import * as vscode from 'vscode';
import { ApiError } from '../api/failure.js';
import { showLogAction, UserError } from './actions.js';
import type { Log } from './log.js';
import { messageOf, showErrorMessage } from './messages.js';
import { failureWords } from './text/failure.js';

type ErrorLog = Pick<Log, 'warn' | 'error' | 'redact'>;

export function showError(log: ErrorLog, error: unknown): void {
  if (isCancellation(error)) return;
  if (error instanceof UserError) {
    if (error.logLine !== undefined) log.warn(error.logLine);
    return showErrorMessage(error.message, error.actions);
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log.error(text.replace(/\s*\n\s*/g, ' '));
  const reason = log.redact(
    error instanceof ApiError ? failureWords(error.failure).word : messageOf(error),
  );
  const sentence = reason
    ? vscode.l10n.t('Unexpected error: {reason}. See the log for details.', {
        reason: reason.replace(/\.$/, ''),
      })
    : vscode.l10n.t('Unexpected error. See the log for details.');
  showErrorMessage(sentence, [showLogAction]);
}

function isCancellation(error: unknown): boolean {
  if (error instanceof ApiError) return error.failure.kind === 'cancelled';
  // VS Code's own cancellations arrive from the window as plain errors with this name.
  return error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError');
}

/** Shows the error of some work, if it was not cancelled; resolves with `undefined` then, without waiting for the message. */
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
