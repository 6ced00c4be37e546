import type { Log } from './services.js';
import { showError } from './showError.js';

/**
 * Runs a command's body; what goes wrong in it is shown here and nowhere else. Cancelled shows nothing. Resolves when the body
 * has ended, not when its message is closed: nobody is to wait for that. `undefined`: it has failed, or has no result.
 */
export function showErrors<A extends unknown[], R>(
  log: Log,
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
