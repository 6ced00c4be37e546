import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Client } from 'undici';
import { send, type WireRequest, type WireResult } from './wire.js';

/**
 * Only the file of the client, because undici's index would also make its own agent the one of
 * every extension's `fetch` (https://github.com/nodejs/undici/pull/1405).
 */
type Undici = typeof import('undici/lib/dispatcher/client.js');

export interface PooledConnection {
  readonly origin: string;
  readonly socket: Socket;
  readonly client: Client;
  /** Epoch ms when its last request ended; `undefined` while it is in use. */
  idleSince: number | undefined;
  isReusable: boolean;
  /** The first error of the socket; `undefined` if there was none. */
  error: unknown;
}

/** Many firewalls forget a connection that was idle for 5 minutes. */
const maxIdleMs = 4 * 60_000;

/**
 * The connections that the router has opened: those in use, and idle ones that are kept for the
 * next request. undici gets each connection open, because it would open another one for each
 * stopped request (https://github.com/nodejs/undici/issues/5845).
 */
export class Pool {
  private readonly connections = new Set<PooledConnection>();
  /** Kept, because each `import()` takes time in the extension host, even of a loaded module. */
  private undici: Undici | undefined;

  /** `now`: epoch ms; `performance.now()` stands still while the machine sleeps. */
  constructor(private readonly now: () => number) {}

  /**
   * Loads undici. Rejects when its file is gone, because VS Code has installed a newer version of
   * the extension.
   */
  async load(): Promise<void> {
    this.undici ??= await import('undici/lib/dispatcher/client.js');
  }

  /** Reserves an idle connection; `undefined` if there is none or the request needs a new one. */
  async takeIdle({
    origin,
    needsNewConnection,
  }: WireRequest): Promise<PooledConnection | undefined> {
    await this.load();
    if (needsNewConnection) return undefined;
    // undici frees a connection at the end of the event loop's iteration in which its answer ended.
    await setImmediate();
    for (const connection of this.connections) {
      const { idleSince } = connection;
      if (connection.origin !== origin || idleSince === undefined) continue;
      const idleMs = this.now() - idleSince;
      // The clock may have been set back.
      const isUsable = idleMs >= 0 && idleMs <= maxIdleMs;
      if (isUsable) {
        connection.idleSince = undefined;
        return connection;
      }
      this.drop(connection);
    }
    return undefined;
  }

  /** Adds an open connection, which is in use. It is kept after its request if `isReusable`. */
  add(origin: string, socket: Socket, isReusable: boolean): PooledConnection {
    const client = this.client(origin, socket);
    const connection: PooledConnection = {
      origin,
      socket,
      client,
      idleSince: undefined,
      isReusable,
      error: undefined,
    };
    // Node does not keep a TLS alert and leaves the connection open, and undici may not listen yet.
    socket.once('error', (error) => {
      connection.error = error;
      socket.destroy();
    });
    this.connections.add(connection);
    connection.client.once('disconnect', () => this.drop(connection));
    return connection;
  }

  /** Sends on a connection that is in use, and keeps or drops it afterwards. Never rejects. */
  async send(connection: PooledConnection, request: WireRequest): Promise<WireResult> {
    const result = await send(connection.client, request, () => connection.error);
    connection.idleSince = this.now();
    const isReadToEnd =
      result.kind === 'answer' && (result.end === 'complete' || result.end === 'unclear');
    const mayBeKept = connection.isReusable && isReadToEnd && !connection.socket.destroyed;
    if (!mayBeKept) this.drop(connection);
    return result;
  }

  /** Drops idle connections at once, and those in use when their requests end. */
  forget(): void {
    for (const connection of this.connections) {
      connection.isReusable = false;
      if (connection.idleSince !== undefined) this.drop(connection);
    }
  }

  /** Closes a connection. A request that runs on it ends as if the connection were lost. */
  drop(connection: PooledConnection): void {
    this.connections.delete(connection);
    void connection.client.destroy();
    // undici does not have the socket yet if nothing was sent on it.
    connection.socket.destroy();
  }

  /** Whatever made one connection silent has probably done so to all of its origin. */
  dropIdle(origin: string): void {
    for (const connection of this.connections) {
      const isIdle = connection.idleSince !== undefined;
      if (isIdle && connection.origin === origin) this.drop(connection);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections].map(({ client }) => client.destroy()));
  }

  /** Makes an undici client that uses this open connection alone. `load()` must have resolved. */
  client(origin: string, socket: Socket): Client {
    let unusedSocket: Socket | undefined = socket;
    return new this.undici!.default(origin, {
      // The request's time-out is the only one: undici's tick in half seconds, and a body that
      // drips never trips them.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 64 * 1024,
      pipelining: 1,
      connect: (_options, connected) => {
        const openSocket = unusedSocket;
        unusedSocket = undefined;
        // undici does not expect an answer before this function has returned.
        queueMicrotask(() => {
          if (openSocket) connected(null, openSocket);
          else connected(Object.assign(new Error('closed'), { code: 'ECONNRESET' }), null);
        });
      },
    });
  }
}
