import type { LookupFunction } from 'node:net';
import { peerOf } from './connectError.js';
import type { Connector } from './connector.js';
import { PooledConnector } from './pooledConnector.js';
import { openTcp } from './tcp.js';
import { openTls } from './tls.js';

/** Straight to the service. `lookup`: instead of the system's resolver. */
export function directConnector(lookup?: LookupFunction): Connector {
  return new PooledConnector(async (origin, signal) => {
    const peer = peerOf(origin);
    const socket = await openTcp(peer, signal, lookup);
    return origin.protocol === 'https:' ? openTls(socket, peer, signal) : socket;
  });
}
