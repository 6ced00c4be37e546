import { isIP, type Socket } from 'node:net';
import { type SecureContext, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { connectError, type Peer } from './connectError.js';
import { untilEvent } from './untilEvent.js';

/**
 * TLS over an open connection. The certificate is always verified, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says.
 * @throws ConnectError `tls`.
 */
export async function openTls(
  socket: Socket,
  peer: Peer,
  signal: AbortSignal,
  secureContext?: SecureContext,
): Promise<TLSSocket> {
  const secured = tlsConnect({
    socket,
    host: peer.host,
    // An address has no place in the server name; the certificate is then compared with `host`.
    servername: isIP(peer.host) === 0 ? peer.host : '',
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(secureContext && { secureContext }),
  });
  try {
    await untilEvent(secured, 'secureConnect', signal);
  } catch (error) {
    socket.destroy();
    throw connectError(error, peer, 'tls');
  }
  return secured;
}
