import type { Socket } from 'node:net';

/** Runs `work` with a signal that also aborts after so many ms, with the error that Node has for it; `restart` begins them anew. */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal, restart: () => void) => Promise<T>,
): Promise<T> {
  const slow = new AbortController();
  const late = Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
  const timer = setTimeout(() => slow.abort(late), ms);
  try {
    return await work(AbortSignal.any([signal, slow.signal]), () => timer.refresh());
  } finally {
    clearTimeout(timer);
  }
}

/** The promise, or a rejection with the signal's reason as soon as it aborts: for what ignores signals, or takes its time. */
export function orStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/**
 * Waits until a socket reports something. Rejects with the socket's own error, with `ECONNRESET` if it ends, and with the signal's
 * reason; then the socket is gone.
 */
export function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect' | 'readable',
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onSuccess).off('error', fail).off('end', onEnd).off('close', onEnd);
    };
    const fail = (error: unknown): void => {
      done();
      socket.destroy();
      reject(error);
    };
    const onSuccess = (): void => {
      done();
      resolve();
    };
    const onEnd = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = (): void => fail(signal.reason);
    socket.on(event, onSuccess).on('error', fail).on('end', onEnd).on('close', onEnd);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else if (socket.readableEnded || socket.destroyed) onEnd();
  });
}
