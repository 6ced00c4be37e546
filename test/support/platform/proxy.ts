/** A proxy on loopback that opens tunnels to host names which only it knows, and breaks on request. */
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from './listen.js';

export interface ProxyOptions {
  readonly knows?: Readonly<Record<string, number>>;
  /** The only `Proxy-Authorization` that it accepts; others get 407. */
  readonly authorization?: string;
  /** What it sends instead of opening a tunnel, and then closes; `undefined`: opens it. */
  readonly says?: string;
  /** Before it answers. */
  readonly waits?: Promise<unknown>;
  /** Resets the tunnel as soon as something is sent through it. */
  readonly breaksTunnel?: boolean;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

export async function startProxy(options: ProxyOptions = {}) {
  const sockets = new Set<Socket>();
  const opened = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const serve = (client: Socket): void => {
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      client.off('data', onData);
      proxy.requests.push(head);
      void Promise.resolve(proxy.options.waits).then(() =>
        answer(head, client, proxy.options, opened),
      );
    };
    opened(client).on('data', onData);
  };
  const server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  const requests: string[] = [];
  const proxy = {
    port: await listen(server),
    requests,
    options,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return proxy;
}

function answer(
  head: string,
  client: Socket,
  options: ProxyOptions,
  opened: (socket: Socket) => Socket,
): void {
  const authorization = /^proxy-authorization: (.*)$/im.exec(head)?.[1]?.trim();
  const [, host = '', port = ''] = /^CONNECT ([^: ]+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? [];
  const known = options.knows?.[host];
  if (options.says !== undefined) {
    client.end(options.says);
  } else if (options.authorization !== undefined && authorization !== options.authorization) {
    const challenge = 'Proxy-Authenticate: Basic realm="test"\r\nContent-Length: 4\r\n\r\nno!\n';
    client.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}`);
  } else if (known === undefined) {
    client.end(`HTTP/1.1 502 Bad Gateway\r\nX-Wanted: ${host}:${port}\r\n\r\n`);
  } else {
    client.write(`HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n`);
    if (options.breaksTunnel) {
      client.once('data', () => client.resetAndDestroy());
      return;
    }
    const upstream = opened(connect({ host: '127.0.0.1', port: known })).on('close', () =>
      client.destroy(),
    );
    client.on('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  }
}
