/** A proxy on loopback that opens tunnels to host names which only it knows, and breaks in every way on request. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listen } from './listen.js';

export interface ProxyOptions {
  /** Host names to ports on this machine. */
  readonly knows?: Readonly<Record<string, number>>;
  /** The only `Proxy-Authorization` that it accepts; others get 407. */
  readonly authorization?: string;
  /** What it sends instead of opening a tunnel, and then closes; `undefined`: opens it. */
  readonly says?: string;
  /** Before it answers. */
  readonly waits?: Promise<unknown>;
  /** Closes, resets or keeps silent instead of saying anything. */
  readonly breaks?: 'close' | 'reset' | 'silent' | 'inTunnel';
  /** Goes before the answer. */
  readonly informational?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface Proxy {
  readonly port: number;
  /** Heads of the requests it got. */
  readonly requests: string[];
  options: ProxyOptions;
  stop(): Promise<void>;
}

export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    let head = '';
    const onData = (chunk: Buffer): void => {
      head += chunk.toString('latin1');
      if (head.includes('\r\n\r\n')) {
        socket.off('data', onData);
        requests.push(head);
        void Promise.resolve(proxy.options.waits).then(() => answer(head, socket, proxy.options, sockets));
      }
    };
    socket.on('data', onData);
  };
  const server: Server = options.tls ? createTlsServer(options.tls, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  const proxy: Proxy = {
    port: await listen(server),
    requests,
    options,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) {
        socket.destroy();
      }
      await closed;
    },
  };
  return proxy;
}

function answer(head: string, socket: Socket, options: ProxyOptions, sockets: Set<Socket>): void {
  const authorization = /^proxy-authorization: (.*)$/im.exec(head)?.[1]?.trim();
  const [, host = '', port = ''] = /^CONNECT ([^: ]+):(\d+) HTTP\/1\.1\r\n/.exec(head) ?? [];
  const known = options.knows?.[host];
  if (options.breaks === 'silent') return;
  if (options.breaks === 'close') {
    socket.end();
  } else if (options.breaks === 'reset') {
    socket.resetAndDestroy();
  } else if (options.says !== undefined) {
    socket.end(options.says);
  } else if (options.authorization !== undefined && authorization !== options.authorization) {
    const challenge = 'Proxy-Authenticate: Basic realm="test"\r\nContent-Length: 4\r\n\r\nno!\n';
    socket.end(`HTTP/1.1 407 Proxy Authentication Required\r\n${challenge}`);
  } else if (known === undefined) {
    socket.end(`HTTP/1.1 502 Bad Gateway\r\nX-Wanted: ${host}:${port}\r\n\r\n`);
  } else {
    socket.write(`${options.informational ?? ''}HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n`);
    const upstream = connect({ host: '127.0.0.1', port: known });
    sockets.add(upstream);
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    if (options.breaks === 'inTunnel') {
      socket.once('data', () => socket.resetAndDestroy());
    } else {
      socket.pipe(upstream).pipe(socket);
    }
  }
}
