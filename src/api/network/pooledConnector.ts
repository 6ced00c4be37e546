import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { buildConnector, Client, Pool } from 'undici';
import { ConnectError, connectError, peerOf } from './connectError.js';
import type { WireRequest, WireResult } from './connector.js';
import { exchangeOver } from './exchangeOver.js';
import { toleratesContinue } from './toleratesContinue.js';

/** Opens a connection to an origin that is ready for HTTP. Rejects with `ConnectError` only; the signal ends it. */
export type Open = (origin: URL, signal: AbortSignal) => Promise<Socket>;

/** Our own deadline is the only one: undici's tick in half seconds, and a dripping body never trips them. */
const withoutTimeouts = { headersTimeout: 0, bodyTimeout: 0 };
const maxHeaderSize = 64 * 1024;

interface Undici {
  readonly Client: typeof Client;
  readonly Pool: typeof Pool;
}

/** Sends over undici: from a pool, or on a connection of its own. The queue in front keeps the pool from queueing. */
export class PooledConnector {
  /** By origin. Not undici's `Agent`: it closes a pool that is in use when connections that were idle before have ended. */
  readonly #pools = new Map<string, Pool>();
  #dispatching: AbortSignal | undefined;
  readonly #closing = new AbortController();
  /** Kept, because the extension host's module loader takes its time for every `import()`, also of what it has loaded long ago. */
  #undici: Undici | undefined;

  constructor(private readonly open: Open) {}

  async exchange(request: WireRequest): Promise<WireResult> {
    let undici: Undici;
    try {
      // With the first request, not before: a window that has nothing to send does without.
      undici = this.#undici ?? (await import('./dispatchers.js'));
      this.#undici = undici;
    } catch (error) {
      // Its file is gone, perhaps because a newer version of the extension was installed.
      return { kind: 'unreachable', cause: connectError(error, peerOf(new URL(request.origin))).facts };
    }
    if (request.alone) {
      const client = new undici.Client(request.origin, this.#options());
      try {
        return await this.#exchangeOver(client, request);
      } finally {
        void client.destroy();
      }
    }
    // A connection that has just been used is free for the pool only at the end of this turn of the event loop: without
    // waiting for that, reads one after the other would open twice as many as are needed.
    await setImmediate();
    let pool = this.#pools.get(request.origin);
    if (!pool) {
      pool = new undici.Pool(request.origin, this.#options());
      this.#pools.set(request.origin, pool);
    }
    return this.#exchangeOver(pool, request);
  }

  forget(): void {
    for (const pool of this.#pools.values()) {
      void pool.close();
    }
    this.#pools.clear();
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('closed'));
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()));
  }

  #exchangeOver(dispatcher: Pool | Client, request: WireRequest): Promise<WireResult> {
    // undici opens a connection, if it needs one, while it takes the request: that is how the connection learns
    // whose it is, and ends with it.
    this.#dispatching = request.signal;
    const result = exchangeOver(dispatcher, request);
    this.#dispatching = undefined;
    return result;
  }

  #options(): Client.Options {
    return { ...withoutTimeouts, maxHeaderSize, pipelining: 1, connect: this.#connect };
  }

  readonly #connect: buildConnector.connector = (options, connected) => {
    const origin = new URL(`${options.protocol}//${options.host ?? options.hostname}`);
    const signal = this.#dispatching ?? this.#closing.signal;
    void this.open(origin, signal).then(
      (socket) => connected(null, toleratesContinue(socket)),
      (error: unknown) => connected(error instanceof ConnectError ? error : connectError(error, peerOf(origin)), null),
    );
  };
}
