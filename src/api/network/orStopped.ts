/** The promise, or a rejection as soon as the signal aborts: for what ignores signals, or takes its time with them. */
export async function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: (() => void) | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new Error('stopped'));
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
