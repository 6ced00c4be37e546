import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '../decode.js';
import { type Peer, peerOf } from '../failure.js';
import { codeOf } from './errorCodes.js';
import { isTlsError } from './tlsErrors.js';

const connected = 'undici:client:connected';
const connectError = 'undici:client:connectError';

/**
 * Watches the connections that undici makes for `fetch`, because the error of `fetch` itself lacks two
 * things: which alert ended a connection after the handshake, and to whom a connection failed. undici
 * publishes both: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md.
 */
export class FetchConnections {
  /** With what TLS ended a connection to the host after its handshake. */
  private tlsError: unknown;
  /** To whom a connection failed, by error. The first one counts: undici publishes that of a proxy for its target, too, or wraps it. */
  private readonly failed = new Map<unknown, Peer>();

  /** `host`: whose alerts count. */
  constructor(private readonly host: string) {
    subscribe(connected, this.onConnected);
    subscribe(connectError, this.onConnectError);
  }

  /** What `fetch` should have rejected with. */
  reasonOf(error: unknown): unknown {
    const isLost = codeOf(error) === 'UND_ERR_SOCKET';
    return isLost && this.tlsError !== undefined ? this.tlsError : error;
  }

  /** To whom no connection was made, if this error says that. */
  failedPeer(error: unknown): Peer | undefined {
    let found: Peer | undefined;
    let at = error;
    // undici's chains have three errors at most, and no loop may hang here.
    for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
      at = at.cause;
      found = this.failed.get(at) ?? found;
    }
    return found;
  }

  end(): void {
    unsubscribe(connected, this.onConnected);
    unsubscribe(connectError, this.onConnectError);
  }

  private readonly onConnected = (message: unknown): void => {
    if (!isRecord(message) || peerIn(message)?.host !== this.host) return;
    const { socket } = message;
    if (!isEmitter(socket)) return;
    socket.once('error', (error) => {
      if (isTlsError(codeOf(error))) this.tlsError ??= error;
    });
  };

  private readonly onConnectError = (message: unknown): void => {
    if (!isRecord(message)) return;
    const { error } = message;
    const peer = peerIn(message);
    if (peer && !this.failed.has(error)) this.failed.set(error, peer);
  };
}

function peerIn({ connectParams }: Readonly<Record<string, unknown>>): Peer | undefined {
  if (!isRecord(connectParams)) return undefined;
  const { protocol, host } = connectParams;
  const url = `${String(protocol)}//${String(host)}`;
  return URL.canParse(url) ? peerOf(new URL(url)) : undefined;
}

interface Emitter {
  once(event: 'error', listener: (error: unknown) => void): unknown;
}

function isEmitter(value: unknown): value is Emitter {
  return typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function';
}
