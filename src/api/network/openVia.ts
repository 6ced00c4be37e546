import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { ConnectError, connectError, peerOf } from './connectError.js';
import type { Proxy } from './route.js';
import { openTcp } from './tcp.js';
import { openTls } from './tls.js';
import { openTunnel } from './tunnel.js';

export interface Way {
  readonly proxy?: Proxy;
  readonly context?: SecureContext;
  /** Instead of the system's resolver. */
  readonly lookup?: LookupFunction;
}

/**
 * Opens a connection to an origin that is ready for HTTP: TCP, a proxy's tunnel if there is one, TLS if the scheme says so.
 * @throws ConnectError
 */
export async function openVia(way: Way, origin: URL, signal: AbortSignal): Promise<Socket> {
  const peer = peerOf(origin);
  const socket = way.proxy ? await openProxy(way, way.proxy, origin, signal) : await openTcp(peer, signal, way.lookup);
  return origin.protocol === 'https:' ? openTls(socket, peer, signal, way.context) : socket;
}

async function openProxy(way: Way, proxy: Proxy, origin: URL, signal: AbortSignal): Promise<Socket> {
  const { host, port } = proxy;
  let socket: Socket;
  try {
    socket = await openTcp({ host, port }, signal, way.lookup);
    if (proxy.tls) {
      socket = await openTls(socket, { host, port }, signal, way.context);
    }
  } catch (error) {
    // Whatever failed, it was on the way to the proxy.
    throw connectError(error instanceof ConnectError ? error.facts : error, { host, port }, 'proxy');
  }
  await openTunnel(socket, proxy, peerOf(origin), signal);
  return socket;
}
