import { once } from 'node:events';
import type { Socket } from 'node:net';

/**
 * Runs `work` with a signal that also aborts after so many ms. Not `AbortSignal.any` with `AbortSignal.timeout`, which in Node 20 may
 * never abort (https://github.com/nodejs/node/issues/57736).
 */
export async function within<T>(
  ms: number,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), ms);
  try {
    return await work(AbortSignal.any([signal, deadline.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** The promise, or a rejection with the signal's reason as soon as it aborts: for what ignores signals, or takes its time. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Waits until a socket reports something. Rejects with the socket's error, `ECONNRESET` if it closes, or the signal's reason; then it is gone. */
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect' | 'readable',
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController();
  const close = (): void => closed.abort(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
  const either = AbortSignal.any([signal, closed.signal]);
  socket.once('close', close);
  if (socket.destroyed) close();
  try {
    await once(socket, event, { signal: either });
  } catch (error) {
    socket.destroy();
    throw either.aborted ? either.reason : error;
  } finally {
    socket.off('close', close);
  }
}
