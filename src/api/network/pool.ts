import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Client } from 'undici';
import { send, unreachable, type WireRequest, type WireResult } from './exchange.js';

interface Connection {
  readonly origin: string;
  readonly socket: Socket;
  readonly client: Client;
  isBusy: boolean;
  /** Whether further requests may have it. */
  isReusable: boolean;
}

/**
 * Sends over undici, one request at a time on each connection. undici gets connections that are open and opens none itself, because
 * it would open another one for each request that was stopped (https://github.com/nodejs/undici/issues/5845).
 */
export class Pool {
  private readonly connections = new Set<Connection>();
  /** Kept, because every `import()` takes time in the extension host, even of a module that is loaded. */
  private undici: typeof import('./dispatchers.js') | undefined;

  /** `open`: opens a connection that is ready for HTTP. Rejects with `ConnectError`, or with the signal's reason. */
  async send(request: WireRequest, open: () => Promise<Socket>): Promise<WireResult> {
    const { origin, signal, ownConnection } = request;
    try {
      // Loaded with the first request, so that a window that sends nothing does without.
      this.undici ??= await import('./dispatchers.js');
      // undici lets a connection rest until the end of the turn of the event loop in which its answer ended.
      if (!ownConnection) await setImmediate();
      for (;;) {
        const idle = ownConnection ? undefined : this.idle(origin);
        const connection = idle ?? this.newConnection(this.undici, origin, await open(), !ownConnection);
        connection.isBusy = true;
        const result = await send(connection.client, request);
        connection.isBusy = false;
        const isComplete = result.kind === 'answer' && result.end === 'complete';
        if (!connection.isReusable || !isComplete || connection.socket.destroyed) this.drop(connection);
        // The service may have closed an idle connection: then nothing was sent.
        if (!idle || result.kind !== 'unreachable') return result;
      }
    } catch (error) {
      // The file of undici may be gone, perhaps because a newer version of the extension was installed.
      return signal.aborted ? { kind: 'stopped', sent: false } : unreachable(error, origin);
    }
  }

  /** Requests under way are not touched. */
  forget(): void {
    for (const connection of this.connections) {
      connection.isReusable = false;
      if (!connection.isBusy) this.drop(connection);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.connections].map(({ client }) => client.destroy()));
  }

  private idle(origin: string): Connection | undefined {
    for (const connection of this.connections) {
      if (!connection.isBusy && connection.origin === origin) return connection;
    }
    return undefined;
  }

  private newConnection(
    { Client }: typeof import('./dispatchers.js'),
    origin: string,
    socket: Socket,
    isReusable: boolean,
  ): Connection {
    const sockets = [socket];
    const client = new Client(origin, {
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
    const connection: Connection = { origin, socket, client, isBusy: true, isReusable };
    this.connections.add(connection);
    client.once('disconnect', () => this.drop(connection));
    return connection;
  }

  private drop(connection: Connection): void {
    this.connections.delete(connection);
    void connection.client.destroy();
  }
}
