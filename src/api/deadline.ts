import { once } from 'node:events';
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
export async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect' | 'readable',
  signal: AbortSignal,
): Promise<void> {
  const settled = new AbortController();
  const options = { signal: AbortSignal.any([signal, settled.signal]) };
  const ended = async (end: 'end' | 'close'): Promise<never> => {
    if (!socket.readableEnded && !socket.destroyed) await once(socket, end, options);
    throw Object.assign(new Error('closed'), { code: 'ECONNRESET' });
  };
  try {
    await Promise.race([once(socket, event, options), ended('end'), ended('close')]);
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  } finally {
    settled.abort();
  }
}
