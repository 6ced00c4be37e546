import { type LookupFunction, connect as netConnect, type Socket } from 'node:net';
import { connectError, type Peer } from './connectError.js';
import { untilEvent } from './untilEvent.js';

/** Ms for one of several addresses before the next is tried. Node's own 250 give up on working, distant servers. */
const attemptTimeout = 1000;

/**
 * Resolves the name and connects to the first of its addresses that answers.
 * @throws ConnectError `dns`, `refused` or `network`.
 */
export async function openTcp(peer: Peer, signal: AbortSignal, lookup?: LookupFunction): Promise<Socket> {
  const socket = netConnect({
    ...peer,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: attemptTimeout,
    ...(lookup && { lookup }),
  });
  socket.setNoDelay(true).setKeepAlive(true, 60_000);
  try {
    await untilEvent(socket, 'connect', signal);
  } catch (error) {
    throw connectError(error, peer);
  }
  return socket;
}
