import type { Socket } from 'node:net';

/**
 * Waits until a socket reports success. Rejects with the socket's own error, with `ECONNRESET` if it just closes, and
 * with the signal's reason; then the socket is gone. Its later errors have a listener, so that none can end the process.
 */
export function untilEvent(socket: Socket, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      signal.removeEventListener('abort', onAbort);
      socket.off(event, onSuccess).off('close', onClose);
    };
    const fail = (error: unknown): void => {
      done();
      socket.destroy();
      reject(error instanceof Error ? error : new Error('stopped'));
    };
    const onSuccess = (): void => {
      done();
      resolve();
    };
    const onClose = (): void => fail(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    const onAbort = (): void => fail(signal.reason);
    socket.on('error', fail).on(event, onSuccess).on('close', onClose);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) {
      onAbort();
    }
  });
}
