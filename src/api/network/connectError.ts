import type { ConnectionCause } from '../failure.js';
import { codeOf, stepOf } from './code.js';

/** A host name or address (IPv6 without brackets) and a port. */
export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** The connection was not made. Nothing of the request was sent. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(readonly facts: ConnectionCause) {
    super(facts.code);
  }
}

/** What Node said of a step, as facts. `step` overrides what the code alone would suggest. */
export function connectError(error: unknown, peer: Peer, step?: ConnectionCause['step']): ConnectError {
  const code = codeOf(error);
  return new ConnectError({ step: step ?? stepOf(code), code, host: peer.host, port: peer.port });
}

/** Scheme, host and port of a URL as something to connect to. */
export function peerOf(url: URL): Peer {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { host, port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port) };
}
