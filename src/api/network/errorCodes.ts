import { isIP } from 'node:net';
import {
  ApiError,
  type CertificateTimes,
  type ConnectionCause,
  type Failure,
  type Peer,
} from '../failure.js';
import { isTlsError, isVerificationError, tlsProblemOf } from './tlsErrors.js';

/**
 * Returns the code of Node, OpenSSL, undici, or Chromium, for example `ECONNREFUSED`; `UNKNOWN` if
 * the error has none. Never text that the peer sent.
 */
export function codeOf(error: unknown): string {
  for (const link of errorChain(error)) {
    const code = codeOfLink(link);
    if (code !== undefined) return code;
  }
  return 'UNKNOWN';
}

function codeOfLink({ name, code, message }: ErrorFields): string | undefined {
  if (code === 'EPROTO') {
    // Node gives this code to any error of OpenSSL on a connection that was written to before its
    // handshake ended.
    const opensslCode = opensslCodeIn(String(message));
    if (opensslCode !== undefined) return opensslCode;
  }
  // OpenSSL's reasons have slashes and dots: `ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE`.
  if (typeof code === 'string' && /^[A-Z][A-Z0-9_./]{1,99}$/.test(code)) return code;
  // undici 7 leaves `code` unset on this error.
  if (name === 'HTTPParserError') {
    const isEndInMiddle = String(message).includes('(Invalid EOF state)');
    return isEndInMiddle ? endInMiddle : 'HPE_INVALID';
  }
  // Node's `fetch` gives no code to its refusal (https://fetch.spec.whatwg.org/#port-blocking).
  if (message === 'bad port') return blockedPort;
  // Electron's `fetch` has Chromium's code in its message only: "net::ERR_CERT_DATE_INVALID".
  return /^net::(ERR_[A-Z0-9_]{1,60})$/.exec(String(message))?.[1];
}

/**
 * `ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE` of "write EPROTO 40D7F2:error:0A000410:SSL
 * routines:ssl3_read_bytes:sslv3 alert handshake failure:…".
 */
function opensslCodeIn(message: string): string | undefined {
  const reason = /:SSL routines:[^:]*:([A-Za-z0-9_./ ]{1,80}):/.exec(message)?.[1];
  if (reason === undefined) return undefined;
  return `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}`;
}

/** A port to which `fetch` sends nothing, such as 9 or 6000. */
export const blockedPort = 'ERR_BLOCKED_PORT';
/** undici's parser gives this code if the connection ended within an answer. */
const endInMiddle = 'HPE_INVALID_EOF_STATE';
/** undici gives this code if the connection ended within a body that has a length. */
const lengthMismatch = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

const invalidHttpCodes = [
  // undici's parser, and its bounds.
  'HPE_\\w+',
  'UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)',
  // zlib and Brotli, for bytes that are not in the coding that the header names.
  'Z_DATA_ERROR',
  'ERR__ERROR_\\w+',
  // Chromium.
  'ERR_INVALID_HTTP_RESPONSE',
];
const invalidHttpPattern = new RegExp(`^(?:${invalidHttpCodes.join('|')})$`);

/** Whether an answer with this error code breaks the rules of HTTP, or its headers are too long. */
export function isInvalidHttp(code: string): boolean {
  return invalidHttpPattern.test(code) && code !== endInMiddle;
}

/** The same for an error that came after the headers. */
export function isInvalidHttpInBody(code: string): boolean {
  return isInvalidHttp(code) && code !== lengthMismatch;
}

/**
 * The status with which a proxy refused a tunnel, if that is what failed. undici (in the editor's
 * `fetch`) has it only in its message: "Proxy response (403) !== 200 when HTTP Tunneling".
 */
export function refusedTunnelStatus(error: unknown): number | undefined {
  for (const { message } of errorChain(error)) {
    if (typeof message !== 'string') continue;
    const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/**
 * Whether undici's `fetch` was answered with 407. It rejects requests like ours with an error
 * without code and message only then:
 * https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/index.js#L1709.
 */
export function isProxyAuthentication(error: unknown): boolean {
  return errorChain(error).some(
    ({ name, message, code }) => name === 'Error' && message === '' && code === undefined,
  );
}

/** The step of a connection that fails with this code; `network` for any other code. */
export function failedStepOf(code: string): 'dns' | 'refused' | 'tls' | 'network' {
  if (/^(?:ENOTFOUND|ENODATA|EAI_.*|ERR_NAME_NOT_RESOLVED)$/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED' || code === 'ERR_CONNECTION_REFUSED') return 'refused';
  return isTlsError(code) ? 'tls' : 'network';
}

/**
 * Whether a connection was closed before its TLS handshake ended. Node has no code for that, only a
 * message.
 */
export function isClosedInHandshake(error: unknown): boolean {
  return errorChain(error).some(({ message }) =>
    /before secure TLS connection was established/.test(String(message)),
  );
}

/** Whether the peer reset a connection that it had accepted. */
export function isResetByPeer(error: unknown): boolean {
  return errorChain(error).some(({ code, syscall }) => code === 'ECONNRESET' && syscall === 'read');
}

/**
 * Whether the error of Node or undici shows that no connection was made, or that its TLS handshake
 * failed, so that no request was sent. Codes such as `ECONNREFUSED` and `EHOSTUNREACH` do not show
 * that, because the latter may end open connections, too: here the failed system call counts.
 */
export function failedToConnect(error: unknown): boolean {
  const code = codeOf(error);
  if (failedStepOf(code) === 'dns' || code === blockedPort) return true;
  if (isVerificationError(code)) return true;
  if (isClosedInHandshake(error)) return true;
  if (/^UND_ERR_(?:CONNECT_TIMEOUT|PRX_TLS)$/.test(code)) return true;
  return errorChain(error).some(
    ({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo',
  );
}

/**
 * The proxy to which no connection was made. Returns `undefined` unless the error of Node or undici
 * names another peer than `platform`. `proxy`: the proxy that all connections go through, if it is
 * known.
 */
export function failedProxyPeer(
  error: unknown,
  platform: Peer,
  proxy?: Peer,
): Partial<Peer> | undefined {
  const { host, port } = failedPeerIn(error);
  const isOtherPort = port !== undefined && port !== platform.port;
  const isOtherHost =
    host !== undefined &&
    host !== platform.host &&
    (proxy !== undefined || areComparable(host, platform.host));
  if (!isOtherPort && !isOtherHost) return undefined;
  return proxy ?? { host, port };
}

/** Returns false for a failed address and the platform's name: they may be the same peer. */
function areComparable(failedHost: string, platformHost: string): boolean {
  const isName = isIP(failedHost) === 0;
  return isName || isIP(platformHost) !== 0;
}

/**
 * The peer to which no connection was made, as far as the error names it: DNS names a host, a
 * system call an address with a port, and undici has both in its message.
 */
function failedPeerIn(error: unknown): Partial<Peer> {
  for (const { address, host, hostname, message, port } of errorChain(error)) {
    const name = [hostname, host, address].find((value) => typeof value === 'string');
    if (name !== undefined) return typeof port === 'number' ? { host: name, port } : { host: name };
    const attempted = lastAttemptedAddress.exec(String(message));
    const attemptedHost = attempted?.[1];
    if (attemptedHost !== undefined) return { host: attemptedHost, port: Number(attempted?.[2]) };
  }
  return {};
}

/**
 * "(attempted addresses: 192.0.2.1:443, 192.0.2.2:443, timeout: 10000ms)": the last host and port.
 */
const lastAttemptedAddress = /attempted address(?:es)?: (?:.*, )?(\S+):(\d+),/;

/**
 * The fields of errors of Node, undici, and Electron that are read here. Each may have any type.
 */
export interface ErrorFields {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
  readonly hostname?: unknown;
  readonly host?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly socket?: unknown;
}

/** A chain of causes may be circular. */
const maxChainDepth = 5;

/**
 * Returns the error, its cause, the cause of that, and so on. `fetch` rejects with an error that
 * wraps the telling one. In place of an `AggregateError`, which Node makes when several addresses
 * of a host fail, the chain has one of its errors.
 */
export function errorChain(error: unknown): readonly ErrorFields[] {
  const chain: ErrorFields[] = [];
  let current = error;
  for (let depth = 0; depth < maxChainDepth; depth++) {
    if (typeof current !== 'object' || current === null) break;
    const fields: ErrorFields = current;
    const { cause, errors } = fields;
    if (cause === undefined && Array.isArray(errors) && errors.length > 0) {
      current = mostTelling(errors);
    } else {
      chain.push(fields);
      current = cause;
    }
  }
  return chain;
}

/** The first error that is no time-out. Node gives the whole list the code of its first error. */
function mostTelling(errors: readonly (ErrorFields | null)[]): unknown {
  const found = errors.find((error) => error?.code !== 'ETIMEDOUT');
  return found ?? errors[0];
}

/** Why no connection could be made. Its message is the code alone. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(readonly facts: ConnectionCause) {
    super(facts.code);
  }
}

export type Validity = Required<Omit<CertificateTimes, 'now'>>;

/** What may be wrong with the certificates that a peer sent. */
export interface CertificateChain {
  /** Of the first certificate that is expired or not yet valid; `undefined` if there is none. */
  readonly validity: Validity | undefined;
  readonly issuer: NonNullable<ConnectionCause['issuer']>;
}

interface FailedStep {
  /** Default: as the error's code says. */
  readonly step?: ConnectionCause['step'] | undefined;
  /** Absent if the peer sent no certificates. */
  readonly chain?: CertificateChain | undefined;
}

/** The peer that the failed step concerned. */
type BlamedPeer = Peer & Pick<ConnectionCause, 'source'>;

/** A `ConnectError` keeps its facts, and gets the `step` if one is given. */
export function toConnectError(
  error: unknown,
  peer: BlamedPeer,
  { step, chain }: FailedStep = {},
): ConnectError {
  const facts = error instanceof ConnectError ? error.facts : factsOf(error, peer, chain);
  return new ConnectError(step ? { ...facts, step } : { ...facts });
}

function factsOf(
  error: unknown,
  peer: BlamedPeer,
  chain: CertificateChain | undefined,
): ConnectionCause {
  const code = codeOf(error);
  const step = isClosedInHandshake(error) ? 'tls' : failedStepOf(code);
  const facts: ConnectionCause = { step, code, ...peer };
  switch (tlsProblemOf(facts)) {
    case 'issuer':
    case 'leafAlone':
      return chain ? { ...facts, issuer: chain.issuer } : facts;
    case 'expired':
    case 'notYetValid':
      return { ...facts, times: { now: Date.now(), ...chain?.validity } };
    default:
      return facts;
  }
}

/**
 * Returns the failure of a rejected request. Whatever is neither an `ApiError` nor an abort becomes
 * `connectionLost` with the error's code. Nothing else is taken over from the error, because raw
 * TLS errors have circular fields.
 */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  // A signal that was aborted without a reason has such an error as its reason.
  const isAbort = error instanceof DOMException && error.name === 'AbortError';
  if (isAbort) return { kind: 'cancelled' };
  return { kind: 'connectionLost', code: codeOf(error) };
}
