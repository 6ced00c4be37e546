import type { Log } from './services.js';

/** Runs a command's body; the one place that shows what went wrong in it. Cancelled shows nothing. */
export function showErrors<A extends unknown[]>(
  _log: Log,
  body: (...args: A) => unknown,
): (...args: A) => Promise<void> {
  return async (...args) => {
    await body(...args);
  };
}

/** Shows one error with the buttons of its next steps. Resolves when the message is gone. */
export async function showError(_log: Log, _error: unknown): Promise<void> {}
