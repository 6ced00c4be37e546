import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Client } from 'undici';
import { send, type WireRequest, type WireResult } from './wire.js';

/** By its file, because undici's index also makes its own agent that of every extension's `fetch` (https://github.com/nodejs/undici/pull/1405). */
type Undici = typeof import('undici/lib/dispatcher/client.js');

export interface PooledConnection {
  readonly origin: string;
  readonly socket: Socket;
  readonly client: Client;
  /** Epoch ms, since its last request has ended; `undefined` while one is on it. */
  idleSince: number | undefined;
  isReusable: boolean;
  /** The first one of the socket. */
  error: unknown;
}

/** What is on the way may have forgotten a connection after that: many firewalls do after 5 minutes. */
const maxIdleMs = 4 * 60_000;

/** undici gets open connections, because it would open another one for each stopped request (https://github.com/nodejs/undici/issues/5845). */
export class Pool {
  private readonly connections = new Set<PooledConnection>();
  /** Kept, because every `import()` takes time in the extension host, even of a module that is loaded. */
  private undici: Undici | undefined;

  /** `now`: epoch ms. The other clock stands still while the machine sleeps. */
  constructor(private readonly now: () => number) {}

  /**
   * Rejects when undici's file is gone, because VS Code has installed a newer version of the
   * extension.
   */
  async load(): Promise<void> {
    this.undici ??= await import('undici/lib/dispatcher/client.js');
  }

  /** Reserves an idle connection. */
  async idle({
    origin,
    needsNewConnection: ownConnection,
  }: WireRequest): Promise<PooledConnection | undefined> {
    await this.load();
    if (ownConnection) return undefined;
    // undici frees a connection at the end of the event loop's iteration in which its answer ended.
    await setImmediate();
    for (const connection of this.connections) {
      const { idleSince } = connection;
      if (connection.origin !== origin || idleSince === undefined) continue;
      const idleMs = this.now() - idleSince;
      // The clock may have been set back.
      if (idleMs >= 0 && idleMs <= maxIdleMs) {
        connection.idleSince = undefined;
        return connection;
      }
      this.drop(connection);
    }
    return undefined;
  }

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
    // Node keeps a TLS alert nowhere and leaves the connection open, and undici may not listen yet.
    socket.once('error', (error) => {
      connection.error = error;
      socket.destroy();
    });
    this.connections.add(connection);
    connection.client.once('disconnect', () => this.drop(connection));
    return connection;
  }

  async send(connection: PooledConnection, request: WireRequest): Promise<WireResult> {
    const result = await send(connection.client, request, () => connection.error);
    connection.idleSince = this.now();
    const isRead =
      result.kind === 'answer' && (result.end === 'complete' || result.end === 'unclear');
    if (!connection.isReusable || !isRead || connection.socket.destroyed) this.drop(connection);
    return result;
  }

  forget(): void {
    for (const connection of this.connections) {
      connection.isReusable = false;
      if (connection.idleSince !== undefined) this.drop(connection);
    }
  }

  /** What is sent on it ends without an answer. */
  drop(connection: PooledConnection): void {
    this.connections.delete(connection);
    void connection.client.destroy();
    // undici has not got it yet, if nothing was sent on it.
    connection.socket.destroy();
  }

  /** What made one connection silent has probably done so to all of its origin. */
  dropIdle(origin: string): void {
    for (const connection of this.connections) {
      const isIdle = connection.idleSince !== undefined;
      if (isIdle && connection.origin === origin) this.drop(connection);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections].map(({ client }) => client.destroy()));
  }

  /** It speaks on this connection only. */
  client(origin: string, socket: Socket): Client {
    const sockets = [socket];
    return new this.undici!.default(origin, {
      // Our own deadline is the only one: undici's tick in half seconds, and a dripping body never trips them.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 64 * 1024,
      pipelining: 1,
      connect: (_options, connected) => {
        const next = sockets.pop();
        const closed = Object.assign(new Error('closed'), { code: 'ECONNRESET' });
        // undici does not expect an answer before it has finished asking.
        queueMicrotask(() => (next ? connected(null, next) : connected(closed, null)));
      },
    });
  }
}
