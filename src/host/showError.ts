import * as vscode from 'vscode';
import { ApiError } from '../api/failure.js';
import type { Log } from './services.js';
import { showErrorMessage } from './showMessage.js';
import { type FailureAbout, failureSentence, failureStep, failureWord } from './text/failure.js';
import { showLogStep } from './text/step.js';
import { type Step, UserError } from './userError.js';

/** Shows one error with the buttons of its next steps. `about`: what a failed request was about. Resolves when it is closed. */
export async function showError(log: Log, error: unknown, about?: FailureAbout): Promise<void> {
  if (isCancellation(error)) return;
  const { sentence, steps } = say(log, error, about);
  await showErrorMessage(sentence, steps);
}

function say(log: Log, error: unknown, about: FailureAbout | undefined): { sentence: string; steps: readonly Step[] } {
  if (error instanceof UserError) {
    log.warn(error.message);
    return { sentence: error.message, steps: error.steps };
  }
  if (error instanceof ApiError && about) {
    const step = failureStep(error.failure, about);
    return { sentence: failureSentence(error.failure, about), steps: step ? [step] : [] };
  }
  log.error(describe(error));
  const reason = error instanceof ApiError ? failureWord(error.failure) : messageOf(error);
  const shown = log.redact(reason);
  return {
    sentence: shown
      ? vscode.l10n.t('Something unexpected went wrong: {reason}. The log has the details.', {
          reason: shown.replace(/\.$/, ''),
        })
      : vscode.l10n.t('Something unexpected went wrong. The log has the details.'),
    steps: [showLogStep()],
  };
}

function isCancellation(error: unknown): boolean {
  if (error instanceof vscode.CancellationError) return true;
  if (error instanceof ApiError) return error.failure.kind === 'cancelled';
  // VS Code's own cancellations come over from the window as plain errors.
  return error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One line for the log. */
function describe(error: unknown): string {
  if (error instanceof ApiError) return `Unhandled failure of a request: ${error.failure.kind}`;
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.replace(/\s*\n\s*/g, ' ');
}
