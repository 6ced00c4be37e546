/** Ms; more time for a connection is not given away while there is another way to try. */
const longest = 10_000;

/** Ms for a connection, so that a second try still has most of what the whole request may take. */
export function connectTimeout(requestTimeout: number): number {
  return Math.min(longest, requestTimeout / 3);
}

/** Runs `open` with a signal that also aborts, with `ETIMEDOUT`, after so many ms. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  open: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timeoutError()), ms);
  signal.addEventListener('abort', stop);
  if (signal.aborted) {
    stop();
  }
  try {
    return await open(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** As Node reports that a connection took too long. */
export function timeoutError(): Error {
  return Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
}
