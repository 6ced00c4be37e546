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
  /** With what TLS ended connections to the host after their handshake, by their port on this machine. */
  private readonly alerts = new Map<unknown, unknown>();
  /** To whom a connection failed, by error. The first one counts: undici publishes that of a proxy for its target, too, or wraps it. */
  private readonly failed = new Map<unknown, Peer>();
  private readonly proxyBroke = new AbortController();

  /** `host`: whose alerts count. `proxy`: that every connection goes through, if it is known. */
  constructor(
    private readonly host: string,
    private readonly proxy?: Peer,
  ) {
    subscribe(connected, this.onConnected);
    subscribe(connectError, this.onConnectError);
  }

  /** Aborted with the alert of the proxy, to which undici would connect again and again. */
  get proxyFailed(): AbortSignal {
    return this.proxyBroke.signal;
  }

  /** What `fetch` should have rejected with. */
  reasonOf(error: unknown): unknown {
    return this.alerts.get(localPortIn(error)) ?? error;
  }

  /** To whom no connection was made, if this error says that. */
  failedPeer(error: unknown): Peer | undefined {
    let found: Peer | undefined;
    for (const one of causesOf(error)) found = this.failed.get(one) ?? found;
    return found;
  }

  end(): void {
    unsubscribe(connected, this.onConnected);
    unsubscribe(connectError, this.onConnectError);
  }

  private readonly onConnected = (message: unknown): void => {
    if (!isRecord(message)) return;
    const { socket } = message;
    const host = peerIn(message)?.host;
    const isProxy = host === this.proxy?.host;
    if (!isSocket(socket) || (host !== this.host && !isProxy)) return;
    const { localPort } = socket;
    socket.once('error', (error) => {
      if (!isTlsError(codeOf(error))) return;
      this.alerts.set(localPort, error);
      if (isProxy) this.proxyBroke.abort(error);
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
  return typeof value === 'object' && value !== null && 'once' in value && typeof value.once === 'function';
}

/** Of the connection that ended, where undici says only that it did. */
function localPortIn(error: unknown): unknown {
  for (const one of causesOf(error)) {
    if (isRecord(one) && one['code'] === 'UND_ERR_SOCKET' && isRecord(one['socket'])) return one['socket']['localPort'];
  }
  return undefined;
}

/** undici's chains have three errors at most, and a loop may not hang here. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let at = error;
  while (causes.length < 5 && at instanceof Error) {
    at = at.cause;
    causes.push(at);
  }
  return causes;
}
