import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { isRecord } from '../decode.js';
import { codeOf } from './errorCodes.js';
import { isTlsError } from './tlsErrors.js';

/** What undici publishes (https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md). */
interface ConnectMessage {
  /** Of a connection that was made. */
  readonly socket?: { once(event: 'error', listener: (error: unknown) => void): unknown };
  /** Of one that was not. */
  readonly error?: unknown;
}

const connected = 'undici:client:connected';
const connectError = 'undici:client:connectError';

/**
 * Watches the connections that undici makes for `fetch` to one host, because `fetch` itself forgets two
 * things: which alert ended a connection after the handshake, and whether there was a connection at all.
 */
export class FetchConnections {
  /** With what TLS ended a connection after its handshake. */
  private tlsError: unknown;
  private readonly connectErrors = new Set<unknown>();

  constructor(private readonly hostname: string) {
    subscribe(connected, this.onConnected);
    subscribe(connectError, this.onConnectError);
  }

  /** What `fetch` should have rejected with. */
  reasonOf(error: unknown): unknown {
    const isLost = codeOf(error) === 'UND_ERR_SOCKET';
    return isLost && this.tlsError !== undefined ? this.tlsError : error;
  }

  /** Whether no connection was made that this error could have ended. */
  isConnectError(error: unknown): boolean {
    return error instanceof Error && this.connectErrors.has(error.cause);
  }

  end(): void {
    unsubscribe(connected, this.onConnected);
    unsubscribe(connectError, this.onConnectError);
  }

  private readonly onConnected = (message: unknown): void => {
    const { socket } = this.readMessage(message);
    socket?.once('error', (error) => {
      if (isTlsError(codeOf(error))) this.tlsError ??= error;
    });
  };

  private readonly onConnectError = (message: unknown): void => {
    const { error } = this.readMessage(message);
    if (error !== undefined) this.connectErrors.add(error);
  };

  /** Empty if it is about another host. */
  private readMessage(message: unknown): ConnectMessage {
    return isAbout(message, this.hostname) ? message : {};
  }
}

function isAbout(message: unknown, hostname: string): message is ConnectMessage {
  if (!isRecord(message)) return false;
  const { connectParams } = message;
  return isRecord(connectParams) && connectParams['hostname'] === hostname;
}
