/**
 * Runs `work` with a signal that aborts with `signal` or after `ms`. Does without
 * `AbortSignal.timeout`, which may never abort in Node 20 when it is combined:
 * https://github.com/nodejs/node/issues/57736.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeOut = new AbortController();
  const timer = setTimeout(() => timeOut.abort(), ms);
  try {
    return await work(AbortSignal.any([signal, timeOut.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like `promise`, or rejects with the signal's reason as soon as it aborts. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const stopListening = (): void => signal.removeEventListener('abort', onAbort);
    void promise.then(resolve, reject).finally(stopListening);
  });
}
