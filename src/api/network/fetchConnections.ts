import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '../decode.js';
import { isSamePeer, type Peer, peerOf } from '../failure.js';
import { codeOf, errorChain } from './errorCodes.js';
import { isTlsError } from './tlsErrors.js';

const connectedChannel = 'undici:client:connected';
const connectErrorChannel = 'undici:client:connectError';

/**
 * Watches the connections that undici makes for one `fetch`, because the error of `fetch` itself
 * lacks two things: which TLS alert ended a connection after the handshake, and the peer to which
 * no connection was made. undici publishes both:
 * https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md.
 */
export class FetchConnections {
  /** The TLS errors that ended connections after their handshake, by the port on this machine. */
  private readonly alerts = new Map<unknown, unknown>();
  /**
   * The peer to which no connection was made, by error. The first one counts: undici publishes the
   * error of a proxy once more for the proxy's target, or wraps it.
   */
  private readonly failedPeers = new Map<unknown, Peer>();
  private readonly proxyAlertController = new AbortController();

  /** `proxy`: the one that every connection goes through, if it is known. */
  constructor(
    private readonly platform: Peer,
    private readonly proxy?: Peer,
  ) {
    subscribe(connectedChannel, this.onConnected);
    subscribe(connectErrorChannel, this.onConnectError);
  }

  /** Aborts with a TLS alert of the proxy, to which undici would connect again and again. */
  get proxyAlert(): AbortSignal {
    return this.proxyAlertController.signal;
  }

  /** Returns the TLS error that `fetch` should have rejected with, or `error` itself. */
  reasonOf(error: unknown): unknown {
    return this.alerts.get(localPortIn(error)) ?? error;
  }

  /** The peer to which no connection was made, if that is why `fetch` rejected with `error`. */
  failedPeer(error: unknown): Peer | undefined {
    let innermost: Peer | undefined;
    for (const link of errorChain(error)) innermost = this.failedPeers.get(link) ?? innermost;
    return innermost;
  }

  /** Stops watching for connections. Sockets that are open already are still watched. */
  end(): void {
    unsubscribe(connectedChannel, this.onConnected);
    unsubscribe(connectErrorChannel, this.onConnectError);
  }

  private readonly onConnected = (message: unknown): void => {
    if (!isRecord(message)) return;
    const { socket } = message;
    const peer = peerIn(message);
    if (!peer || !isSocket(socket)) return;
    const isProxy = this.proxy !== undefined && isSamePeer(peer, this.proxy);
    // Other extensions have connections as well.
    if (!isProxy && !isSamePeer(peer, this.platform)) return;
    const { localPort } = socket;
    socket.once('error', (error) => {
      if (!isTlsError(codeOf(error))) return;
      this.alerts.set(localPort, error);
      if (isProxy) this.proxyAlertController.abort(error);
    });
  };

  private readonly onConnectError = (message: unknown): void => {
    if (!isRecord(message)) return;
    const { error } = message;
    const peer = peerIn(message);
    if (peer && !this.failedPeers.has(error)) this.failedPeers.set(error, peer);
  };
}

/** The peer that undici connects to, according to its message. */
function peerIn({ connectParams }: Readonly<Record<string, unknown>>): Peer | undefined {
  if (!isRecord(connectParams)) return undefined;
  const { protocol, host } = connectParams;
  const url = `${String(protocol)}//${String(host)}`;
  return URL.canParse(url) ? peerOf(new URL(url)) : undefined;
}

interface WatchedSocket {
  readonly localPort?: unknown;
  once(event: 'error', listener: (error: unknown) => void): unknown;
}

function isSocket(value: unknown): value is WatchedSocket {
  return (
    typeof value === 'object' &&
    value !== null &&
    'once' in value &&
    typeof value.once === 'function'
  );
}

/** The port on this machine of the connection that ended, if undici only says that it did. */
function localPortIn(error: unknown): unknown {
  const socketError = errorChain(error).find(({ code }) => code === 'UND_ERR_SOCKET');
  const socket = socketError?.socket;
  return isRecord(socket) ? socket['localPort'] : undefined;
}
