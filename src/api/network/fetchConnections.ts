import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '../decode.js';
import { isSamePeer, type Peer, peerOf } from '../failure.js';
import { codeOf, errorChain } from './errorCodes.js';
import { isTlsError } from './tlsErrors.js';

const connected = 'undici:client:connected';
const connectError = 'undici:client:connectError';

/**
 * Watches the connections that undici makes for `fetch`, because the error of `fetch` itself lacks two
 * things: which alert ended a connection after the handshake, and to whom a connection failed. undici
 * publishes both: https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md.
 */
export class FetchConnections {
  /** With what TLS ended connections after their handshake, by their port on this machine. */
  private readonly alerts = new Map<unknown, unknown>();
  /** To whom a connection failed, by error. The first one counts: undici publishes that of a proxy for its target, too, or wraps it. */
  private readonly failed = new Map<unknown, Peer>();
  private readonly brokenProxy = new AbortController();

  /** `proxy`: that every connection goes through, if it is known. */
  constructor(
    private readonly platform: Peer,
    private readonly proxy?: Peer,
  ) {
    subscribe(connected, this.onConnected);
    subscribe(connectError, this.onConnectError);
  }

  /** Aborted with the alert of the proxy, to which undici would connect again and again. */
  get proxyAlert(): AbortSignal {
    return this.brokenProxy.signal;
  }

  /** What `fetch` should have rejected with. */
  reasonOf(error: unknown): unknown {
    return this.alerts.get(localPortIn(error)) ?? error;
  }

  /** To whom no connection was made, if this error says that. */
  failedPeer(error: unknown): Peer | undefined {
    let found: Peer | undefined;
    for (const reason of errorChain(error)) found = this.failed.get(reason) ?? found;
    return found;
  }

  end(): void {
    unsubscribe(connected, this.onConnected);
    unsubscribe(connectError, this.onConnectError);
  }

  private readonly onConnected = (message: unknown): void => {
    if (!isRecord(message)) return;
    const { socket } = message;
    const peer = peerIn(message);
    if (!peer || !isSocket(socket)) return;
    const isProxy = this.proxy !== undefined && isSamePeer(peer, this.proxy);
    // Other extensions of the editor have connections, too.
    if (!isProxy && !isSamePeer(peer, this.platform)) return;
    const { localPort } = socket;
    socket.once('error', (error) => {
      if (!isTlsError(codeOf(error))) return;
      this.alerts.set(localPort, error);
      if (isProxy) this.brokenProxy.abort(error);
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

/** Of the connection that ended, where undici says only that it did. */
function localPortIn(error: unknown): unknown {
  const ended = errorChain(error).find(({ code }) => code === 'UND_ERR_SOCKET');
  return isRecord(ended?.socket) ? ended.socket['localPort'] : undefined;
}
