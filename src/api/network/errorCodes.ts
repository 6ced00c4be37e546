import { isIP } from 'node:net';
import {
  ApiError,
  type CertificateTimes,
  type ConnectionCause,
  type Failure,
  type Peer,
} from '../failure.js';
import { isTlsError, isVerificationError, tlsProblemOf } from './tlsErrors.js';

/** Node's, OpenSSL's, undici's, or Chromium's code; `UNKNOWN` if there is none. Never a text of the peer. */
export function codeOf(error: unknown): string {
  for (const { name, code, message } of reasons(error)) {
    // Node gives this code to whatever OpenSSL says of a connection that was written to before its handshake ended.
    const ofOpenSsl = code === 'EPROTO' ? opensslCode(String(message)) : undefined;
    if (ofOpenSsl !== undefined) return ofOpenSsl;
    // OpenSSL's reasons have slashes and dots: `ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE`.
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_./]{1,99}$/.test(code)) return code;
    // undici 7 leaves `code` unset on this error.
    if (name === 'HTTPParserError') {
      return String(message).includes('(Invalid EOF state)') ? endInMiddle : 'HPE_INVALID';
    }
    // Electron's `fetch` has Chromium's code in its message only.
    const ofChromium = /^net::(ERR_[A-Z0-9_]{1,60})$/.exec(String(message))?.[1];
    if (ofChromium !== undefined) return ofChromium;
  }
  return 'UNKNOWN';
}

/** "write EPROTO 40D7F2:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:…" */
function opensslCode(message: string): string | undefined {
  const reason = /:SSL routines:[^:]*:([A-Za-z0-9_./ ]{1,80}):/.exec(message)?.[1];
  return reason && `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** undici's parser has these for what the end of a connection cut: of an answer, and of a body with a length. */
const endInMiddle = 'HPE_INVALID_EOF_STATE';
const lengthMismatch = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Of undici's parser, of its bounds, and of zlib and Brotli for bytes that are not in the coding that is named. */
const invalidHttp =
  /^(?:HPE_\w+|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)|Z_DATA_ERROR|ERR__ERROR_\w+|ERR_INVALID_HTTP_RESPONSE)$/;

/** Whether an answer with this error breaks the rules of HTTP, or is more than is read of its headers. */
export function breaksHttp(code: string): boolean {
  return invalidHttp.test(code) && code !== endInMiddle;
}

/** The same of an error after the headers. */
export function bodyBreaksHttp(code: string): boolean {
  return breaksHttp(code) && code !== lengthMismatch;
}

/** The status with which a proxy refused a tunnel. undici (in the editor's `fetch`) has it in its message only. */
export function tunnelStatus(error: unknown): number | undefined {
  for (const { message } of reasons(error)) {
    const status =
      typeof message === 'string' ? /^Proxy response \((\d{3})\)/.exec(message)?.[1] : undefined;
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/**
 * Whether undici's `fetch` was answered with 407. Of requests like ours it has an error without code and
 * message for nothing else: https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/index.js#L1709.
 */
export function isProxyAuthentication(error: unknown): boolean {
  return reasons(error).some(
    ({ name, message, code }) => name === 'Error' && message === '' && code === undefined,
  );
}

export function stepOf(code: string): 'dns' | 'refused' | 'tls' | 'network' {
  if (/^(?:ENOTFOUND|ENODATA|EAI_.*|ERR_NAME_NOT_RESOLVED)$/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED' || code === 'ERR_CONNECTION_REFUSED') return 'refused';
  return isTlsError(code) ? 'tls' : 'network';
}

/** Whether Node reports that a connection was closed before its handshake ended. It has no code of its own for that. */
export function isClosedInHandshake(error: unknown): boolean {
  return reasons(error).some(({ message }) =>
    /before secure TLS connection was established/.test(String(message)),
  );
}

/** Whether the peer reset a connection that it had accepted. */
export function isReset(error: unknown): boolean {
  return reasons(error).some(({ code, syscall }) => code === 'ECONNRESET' && syscall === 'read');
}

/** Whether nothing can have been sent. Codes such as `EHOSTUNREACH` also end open connections, so the failed system call counts. */
export function neverConnected(error: unknown): boolean {
  const code = codeOf(error);
  return (
    stepOf(code) === 'dns' ||
    isVerificationError(code) ||
    isClosedInHandshake(error) ||
    /^UND_ERR_(?:CONNECT_TIMEOUT|PRX_TLS)$/.test(code) ||
    reasons(error).some(({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo')
  );
}

/**
 * The proxy to which no connection was made, where the error of Node or undici tells that it was another peer
 * than `asked`. `known`: the proxy that every connection goes through.
 */
export function failedProxy(error: unknown, asked: Peer, known?: Peer): Partial<Peer> | undefined {
  const { host, port } = failedPeer(error);
  const isOtherPort = port !== undefined && port !== asked.port;
  // A name and an address may be the same peer.
  const isComparable =
    known !== undefined || (host !== undefined && (isIP(host) === 0 || isIP(asked.host) !== 0));
  const isOtherHost = host !== undefined && isComparable && host !== asked.host;
  return isOtherPort || isOtherHost ? (known ?? { host, port }) : undefined;
}

/** As far as the error tells: DNS names a host, a system call an address with a port, and undici writes both. */
function failedPeer(error: unknown): Partial<Peer> {
  for (const { address, host, hostname, message, port } of reasons(error)) {
    const name = [hostname, host, address].find((one) => typeof one === 'string');
    if (name !== undefined) return { host: name, ...(typeof port === 'number' && { port }) };
    const [, attempted, itsPort] =
      /attempted address(?:es)?: (?:.*, )?(\S+):(\d+),/.exec(String(message)) ?? [];
    if (attempted !== undefined) return { host: attempted, port: Number(itsPort) };
  }
  return {};
}

type Field =
  | 'name'
  | 'code'
  | 'syscall'
  | 'message'
  | 'cause'
  | 'errors'
  | 'hostname'
  | 'host'
  | 'address'
  | 'port'
  | 'socket';
export type Reason = Readonly<Partial<Record<Field, unknown>>>;

/** Returns the error and what is behind it: `fetch` wraps its reason, and two dead addresses come as a list of reasons. */
export function reasons(error: unknown): readonly Reason[] {
  const chain: Reason[] = [];
  let at = error;
  // Chains may be circular.
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const reason: Reason = at;
    if (reason.cause === undefined && Array.isArray(reason.errors) && reason.errors.length > 0) {
      // Node gives the list the code of its first error, which may be the least telling.
      at =
        reason.errors.find((one: Reason | null) => one?.code !== 'ETIMEDOUT') ?? reason.errors[0];
    } else {
      chain.push(reason);
      at = reason.cause;
    }
  }
  return chain;
}

export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(readonly facts: ConnectionCause) {
    super(facts.code);
  }
}

export type Validity = Required<Omit<CertificateTimes, 'now'>>;

/** Of the certificates that a peer sent. `validity`: of the first that is out of its time. */
export interface Chain {
  readonly validity: Validity | undefined;
  readonly issuer: NonNullable<ConnectionCause['issuer']>;
}

interface FailedStep {
  readonly step?: ConnectionCause['step'] | undefined;
  /** If there is one. */
  readonly chain?: Chain | undefined;
}

type Blamed = Peer & Pick<ConnectionCause, 'source'>;

/** Its own facts are kept, if it has some. `blamed`: that a connection was made to. */
export function connectError(
  error: unknown,
  blamed: Blamed,
  { step, chain }: FailedStep = {},
): ConnectError {
  const facts = error instanceof ConnectError ? error.facts : factsOf(error, blamed, chain);
  return new ConnectError({ ...facts, ...(step && { step }) });
}

function factsOf(error: unknown, blamed: Blamed, chain: Chain | undefined): ConnectionCause {
  const code = codeOf(error);
  const step = isClosedInHandshake(error) ? 'tls' : stepOf(code);
  const facts = { step, code, ...blamed };
  switch (tlsProblemOf(facts)) {
    case 'issuer':
    case 'leafAlone':
      return { ...facts, ...(chain && { issuer: chain.issuer }) };
    case 'expired':
    case 'notYetValid':
      return { ...facts, times: { now: Date.now(), ...chain?.validity } };
    default:
      return facts;
  }
}

/** An unexpected error is a flat failure, too, because raw TLS errors have circular fields. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  // The reason of a signal that was aborted without one.
  const isAbort = error instanceof DOMException && error.name === 'AbortError';
  return isAbort ? { kind: 'cancelled' } : { kind: 'connectionLost', code: codeOf(error) };
}
