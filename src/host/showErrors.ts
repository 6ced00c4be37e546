import type { Log } from './services.js';

/**
 * Runs a command's body; what goes wrong in it is shown here and nowhere else. Cancelled shows nothing. Resolves when the body
 * has ended, not when its message is closed: nobody is to wait for that. All the sentences are loaded with the first error.
 */
export function showErrors<A extends unknown[]>(
  log: Log,
  body: (...args: A) => unknown,
): (...args: A) => Promise<void> {
  return async (...args) => {
    try {
      await body(...args);
    } catch (error) {
      const { showError } = await import('./showError.js');
      void showError(log, error);
    }
  };
}
