/** The promise, or a rejection with the signal's reason as soon as it aborts: for what ignores signals, or takes its time. */
export async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
    signal.addEventListener('abort', stop);
    if (signal.aborted) {
      stop();
    }
  });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    if (stop) {
      signal.removeEventListener('abort', stop);
    }
  }
}
