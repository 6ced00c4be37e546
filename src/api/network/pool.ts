import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { buildConnector, Client, Pool as UndiciPool } from 'undici';
import { ConnectError, connectError, peerOf } from './errorCodes.js';
import { exchangeOver, unreachable, type WireRequest, type WireResult } from './exchange.js';

const interim = /^(?:HTTP\/1\.[01] 100[ \r\n][^]*?\r\n\r\n)+/;

/** Where the status stands in `HTTP/1.1 100`. */
const firstDigit = 9;

/**
 * Hides `100 Continue` from the reader of this socket. RFC 9110, 15.2.1: a client that has not asked for it can simply
 * discard it; undici takes the connection down instead. undici writes each request in one piece and never two at a time, so
 * an answer starts with the first byte after a write.
 */
function toleratesContinue(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket);
  /** The start of an answer, while it may still be an interim one. */
  let head: string | undefined;
  socket.write = (...parameters: unknown[]): boolean => {
    head = '';
    return Reflect.apply(write, socket, parameters) === true;
  };
  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (head === undefined || chunk === null) return chunk;
      // The status of an interim answer begins with 1.
      if (head === '' && chunk.length > firstDigit && chunk[firstDigit] !== 0x31) {
        head = undefined;
        return chunk;
      }
      head = (head + chunk.toString('latin1')).replace(interim, '');
      if (mayBeInterim(head)) continue;
      const start = Buffer.from(head, 'latin1');
      head = undefined;
      return start;
    }
  };
  return socket;
}

function mayBeInterim(head: string): boolean {
  // No interim answer needs more; the HTTP parser refuses a longer one.
  if (head.length >= 16 * 1024) return false;
  return 'HTTP/1.1 100'.startsWith(head.slice(0, 12).replace('HTTP/1.0', 'HTTP/1.1'));
}

/** Sends over undici: from a pool, or on a connection of its own. The queue in front keeps the pool from queueing. */
export class Pool {
  /** By origin. Not undici's `Agent`: it closes a pool that is in use when connections that were idle before have ended. */
  private readonly pools = new Map<string, UndiciPool>();
  private dispatching: AbortSignal | undefined;
  private readonly closing = new AbortController();
  /** Kept, because every `import()` takes time in the extension host, even of a module that is loaded. */
  private undici: typeof import('./dispatchers.js') | undefined;

  private readonly options: Client.Options = {
    // Our own deadline is the only one: undici's tick in half seconds, and a dripping body never trips them.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 * 1024,
    pipelining: 1,
    connect: (options, connected) => this.connect(options, connected),
  };

  /** `open`: opens a connection that is ready for HTTP. Rejects with `ConnectError` only; the signal ends it. */
  constructor(private readonly open: (origin: URL, signal: AbortSignal) => Promise<Socket>) {}

  async exchange(request: WireRequest): Promise<WireResult> {
    try {
      // Loaded with the first request, so that a window that sends nothing does without.
      this.undici ??= await import('./dispatchers.js');
    } catch (error) {
      // Its file is gone, perhaps because a newer version of the extension was installed.
      return unreachable(error, request.origin);
    }
    if (request.alone) {
      const client = new this.undici.Client(request.origin, this.options);
      try {
        return await this.exchangeOver(client, request);
      } finally {
        void client.destroy();
      }
    }
    // A connection that has just been used is free for the pool only at the end of this turn of the event loop: without
    // waiting for that, reads one after the other would open twice as many as are needed.
    await setImmediate();
    let pool = this.pools.get(request.origin);
    if (!pool) {
      pool = new this.undici.Pool(request.origin, this.options);
      this.pools.set(request.origin, pool);
    }
    return this.exchangeOver(pool, request);
  }

  forget(): void {
    for (const pool of this.pools.values()) void pool.close();
    this.pools.clear();
  }

  async close(): Promise<void> {
    this.closing.abort(new Error('closed'));
    await Promise.all([...this.pools.values()].map((pool) => pool.destroy()));
  }

  private exchangeOver(dispatcher: UndiciPool | Client, request: WireRequest): Promise<WireResult> {
    // undici opens a connection, if it needs one, during `dispatch`: so `connect` sees the signal of the request that needs it.
    this.dispatching = request.signal;
    const result = exchangeOver(dispatcher, request);
    this.dispatching = undefined;
    return result;
  }

  private connect({ protocol, host, hostname }: buildConnector.Options, connected: buildConnector.Callback): void {
    const origin = new URL(`${protocol}//${host ?? hostname}`);
    const signal = this.dispatching ?? this.closing.signal;
    void this.open(origin, signal).then(
      (socket) => connected(null, toleratesContinue(socket)),
      (error: unknown) => connected(error instanceof ConnectError ? error : connectError(error, peerOf(origin)), null),
    );
  }
}
