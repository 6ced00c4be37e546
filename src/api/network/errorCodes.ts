import { isIP } from 'node:net';
import { ApiError, type ConnectionCause, type Failure, type Peer } from '../failure.js';

export function codeOf(error: unknown): string {
  for (const { name, code, message } of reasons(error)) {
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
    // undici 7 leaves `code` unset on this error.
    if (name === 'HTTPParserError') {
      return String(message).includes('(Invalid EOF state)') ? endInMiddle : 'HPE_INVALID';
    }
  }
  return 'UNKNOWN';
}

/** undici's parser has these for what the end of a connection cut: of an answer, and of a body with a length. */
const endInMiddle = 'HPE_INVALID_EOF_STATE';
const lengthMismatch = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** Of undici's parser, of its bounds, and of zlib and Brotli for bytes that are not in the coding that is named. */
const invalidHttp =
  /^(?:HPE_\w+|UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)|Z_DATA_ERROR|ERR__ERROR_\w+)$/;

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
    const status = typeof message === 'string' ? /^Proxy response \((\d{3})\)/.exec(message)?.[1] : undefined;
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/**
 * Whether undici's `fetch` was answered with 407. Of requests like ours it has an error without code and
 * message for nothing else: https://github.com/nodejs/undici/blob/v7.16.0/lib/web/fetch/index.js#L1709.
 */
export function isProxyAuthentication(error: unknown): boolean {
  return reasons(error).some(({ name, message, code }) => name === 'Error' && message === '' && code === undefined);
}

export function stepOf(code: string): 'dns' | 'refused' | 'tls' | 'network' {
  if (/^(?:ENOTFOUND|ENODATA|EAI_.*)$/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  return verification.test(code) || /^(?:ERR_(?:TLS|SSL|OSSL)_.*|EPROTO)$/.test(code) ? 'tls' : 'network';
}

/** Whether nothing can have been sent. Codes such as `EHOSTUNREACH` also end open connections, so the failed system call counts. */
export function neverConnected(error: unknown): boolean {
  const code = codeOf(error);
  return (
    stepOf(code) === 'dns' ||
    verification.test(code) ||
    /^(?:UND_ERR_(?:CONNECT_TIMEOUT|PRX_TLS)|ERR_TLS_CERT_ALTNAME_INVALID)$/.test(code) ||
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
  const isComparable = known !== undefined || (host !== undefined && (isIP(host) === 0 || isIP(asked.host) !== 0));
  const isOtherHost = host !== undefined && isComparable && host !== asked.host;
  return isOtherPort || isOtherHost ? (known ?? { host, port }) : undefined;
}

/** As far as the error tells: DNS names a host, a system call an address with a port, and undici writes both. */
function failedPeer(error: unknown): Partial<Peer> {
  for (const { address, host, hostname, message, port } of reasons(error)) {
    const name = [hostname, host, address].find((one) => typeof one === 'string');
    if (name !== undefined) return { host: name, ...(typeof port === 'number' && { port }) };
    const [, attempted, itsPort] = /attempted address(?:es)?: (?:.*, )?(\S+):(\d+),/.exec(String(message)) ?? [];
    if (attempted !== undefined) return { host: attempted, port: Number(itsPort) };
  }
  return {};
}

const verification =
  /^(?:CERT_.*|CRL_.*|UNABLE_TO_.*|ERROR_IN_(?:CERT|CRL)_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

type Field = 'name' | 'code' | 'syscall' | 'message' | 'cause' | 'errors' | 'hostname' | 'host' | 'address' | 'port';
type Reason = Readonly<Partial<Record<Field, unknown>>>;

/** `fetch` wraps its reason, and two dead addresses come as a list of reasons. */
function reasons(error: unknown): readonly Reason[] {
  const chain: Reason[] = [];
  let at = error;
  // Chains may be circular.
  for (let depth = 0; depth < 5 && typeof at === 'object' && at !== null; depth++) {
    const reason: Reason = at;
    if (reason.cause === undefined && Array.isArray(reason.errors) && reason.errors.length > 0) {
      // Node gives the list the code of its first error, which may be the least telling.
      at = reason.errors.find((one: Reason | null) => one?.code !== 'ETIMEDOUT') ?? reason.errors[0];
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

/** Its own facts are kept, if it has some. `peer`: that a connection was made to. */
export function connectError(
  error: unknown,
  peer: Peer & Pick<ConnectionCause, 'source'>,
  step?: ConnectionCause['step'],
): ConnectError {
  const code = codeOf(error);
  const facts = error instanceof ConnectError ? error.facts : { step: stepOf(code), code, ...peer };
  return new ConnectError({ ...facts, ...(step && { step }) });
}

/** An unexpected error is a flat failure, too, because raw TLS errors have circular fields. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  // The reason of a signal that was aborted without one.
  const isAbort = error instanceof DOMException && error.name === 'AbortError';
  return isAbort ? { kind: 'cancelled' } : { kind: 'connectionLost', code: codeOf(error) };
}
