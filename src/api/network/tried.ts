import type { ConnectionCause } from '../failure.js';
import { ConnectError, connectError, type Peer } from './connectError.js';
import { within } from './connectTimeout.js';
import { orStopped } from './orStopped.js';

export interface Tried<T> {
  readonly value?: T;
  readonly cause?: ConnectionCause;
  /** Ms. */
  readonly duration: number;
}

/** How long a step took, and its result or why it failed. `undefined` if the signal ended it. Never rejects. */
export async function tried<T>(
  step: ConnectionCause['step'] | undefined,
  peer: Peer,
  timeout: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<Tried<T> | undefined> {
  const start = performance.now();
  const duration = (): number => performance.now() - start;
  try {
    const value = await within(timeout, signal, (limited) => orStopped(run(limited), limited));
    return { value, duration: duration() };
  } catch (error) {
    if (signal.aborted) {
      return undefined;
    }
    return {
      cause: (error instanceof ConnectError ? error : connectError(error, peer, step)).facts,
      duration: duration(),
    };
  }
}
