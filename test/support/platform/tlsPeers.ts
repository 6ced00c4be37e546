/** Servers that fail a TLS handshake as others do in the wild. */
import { connect, createServer, type Server, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificates.js';
import { listen } from './listen.js';

export interface TlsPeer {
  readonly port: number;
  /** How many connections it had. */
  readonly connections: () => number;
  readonly stop: () => Promise<void>;
}

/** Of RFC 8446, 6. */
export const alerts = {
  handshakeFailure: 40,
  badCertificate: 42,
  unknownCa: 48,
  accessDenied: 49,
  protocolVersion: 70,
  internalError: 80,
  unrecognizedName: 112,
  certificateRequired: 116,
} as const;

/** Answers what a client says first with a fatal alert. */
export function startAlerting(alert: number): Promise<TlsPeer> {
  const record = Buffer.from([21, 3, 3, 0, 2, 2, alert]);
  return start(createServer((socket) => socket.once('data', () => socket.end(record))));
}

/** Says something that is no TLS as soon as a client has said something. */
export function startPlain(
  text = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n',
): Promise<TlsPeer> {
  return start(createServer((socket) => socket.once('data', () => socket.end(text))));
}

/** Ends each connection once a client has said something. */
export function startClosing(): Promise<TlsPeer> {
  return start(createServer((socket) => socket.once('data', () => socket.destroy())));
}

/** Resets each connection once a client has said something. */
export function startResetting(): Promise<TlsPeer> {
  return start(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())));
}

/** Agrees on TLS, and never answers. */
export function startServing(own: Certificate): Promise<TlsPeer> {
  const server = createTlsServer(own, (socket) => socket.on('error', () => {}).resume());
  server.on('tlsClientError', () => {});
  return start(server);
}

/** Accepts only clients with a certificate. In TLS 1.3 a client learns that after its own part of the handshake. */
export function startWantingCertificate(
  own: Certificate,
  version: 'TLSv1.2' | 'TLSv1.3',
): Promise<TlsPeer> {
  const options = {
    ...own,
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: version,
    maxVersion: version,
  };
  const wanting = createTlsServer(options, (socket) => socket.on('error', () => {}).resume());
  wanting.on('tlsClientError', () => {});
  return start(createServer((socket) => wanting.emit('connection', atDistance(socket))));
}

/**
 * A connection on which the server hears the client 50 ms late, so that the client has sent its request
 * before it is refused. The server reads all of it: otherwise the system resets the connection, and the
 * client may lose the refusal.
 */
function atDistance(socket: Socket): Duplex {
  const duplex = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _encoding, done) => socket.write(chunk, () => done()),
    destroy: (_error, done) => {
      socket.end();
      done(null);
    },
  });
  socket.on('data', (chunk) => setTimeout(() => duplex.push(chunk), 50));
  return duplex;
}

/**
 * Leads to another port of this machine, or ends each connection in its handshake. `maxBroken`: how many
 * connections it breaks.
 */
export async function startGateway(
  to: number,
  maxBroken = Infinity,
): Promise<TlsPeer & { breaks: boolean }> {
  let broken = 0;
  const gateway = {
    breaks: true,
    ...(await start(
      createServer((socket) => {
        if (gateway.breaks && broken < maxBroken) {
          broken += 1;
          socket.once('data', () => socket.destroy());
          return;
        }
        const upstream = connect(to, '127.0.0.1').on('error', () => socket.destroy());
        socket.on('close', () => upstream.destroy()).pipe(upstream);
        upstream.pipe(socket);
      }),
    )),
  };
  return gateway;
}

async function start(server: Server): Promise<TlsPeer> {
  const sockets = new Set<Socket>();
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  return { port: await listen(server), connections: () => count, stop };
}
