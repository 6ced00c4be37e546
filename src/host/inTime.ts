import { setTimer as realTimer, type SetTimer, type Timer } from '../api/timers.js';

/**
 * How long VS Code may take to answer while other work waits for the answer. Questions to the user
 * have no limit.
 */
export const maxAnswerMs = 10_000;

/**
 * Resolves or rejects as `answer` does. Rejects with `timeoutError()` once VS Code has not answered
 * for ten seconds, or for `maxMs`; VS Code may still do what it was asked for.
 */
export async function inTime<T>(
  answer: PromiseLike<T>,
  timeoutError: () => Error,
  setTimer: SetTimer = realTimer,
  maxMs = maxAnswerMs,
): Promise<T> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimer(() => reject(timeoutError()), maxMs);
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    timer?.dispose();
  }
}

/** A `timeoutError` for callers that show no error. */
export function noAnswerError(): Error {
  return new Error('VS Code has not answered in time.');
}
