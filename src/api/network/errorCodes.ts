import { ApiError, type ConnectionCause, type Failure, type Peer } from '../failure.js';

/** The code of an error of Node, OpenSSL or undici, for example `ENOTFOUND`; never its message, which may quote the peer. */
export function codeOf(error: unknown): string {
  for (const { name, code } of reasons(error)) {
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) return code;
    // undici leaves `code` unset on this error.
    if (name === 'HTTPParserError') return 'HPE_INVALID';
  }
  return 'UNKNOWN';
}

/** The status with which a proxy refused a tunnel, as undici (in the editor's `fetch`) says it: in its message only. */
export function tunnelStatus(error: unknown): number | undefined {
  for (const { message } of reasons(error)) {
    const status = typeof message === 'string' ? /^Proxy response \((\d{3})\)/.exec(message)?.[1] : undefined;
    if (status !== undefined) return Number(status);
  }
  return undefined;
}

/** The step at which a connection failed that was never made, as far as the code tells. */
export function stepOf(code: string): 'dns' | 'refused' | 'tls' | 'network' {
  if (/^(?:ENOTFOUND|ENODATA|EAI_.*)$/.test(code)) return 'dns';
  if (code === 'ECONNREFUSED') return 'refused';
  return verification.test(code) || /^(?:ERR_(?:TLS|SSL|OSSL)_.*|EPROTO)$/.test(code) ? 'tls' : 'network';
}

/**
 * Whether an error can only have come before anything was sent. Codes such as `EHOSTUNREACH` also end established connections,
 * so only the system call that failed proves that there was none.
 */
export function neverConnected(error: unknown): boolean {
  const code = codeOf(error);
  return (
    stepOf(code) === 'dns' ||
    verification.test(code) ||
    /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT_ALTNAME_INVALID)$/.test(code) ||
    reasons(error).some(({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo')
  );
}

/** What OpenSSL says of a certificate (X509_V_ERR_…, without that prefix). */
const verification =
  /^(?:CERT_.*|CRL_.*|UNABLE_TO_.*|ERROR_IN_(?:CERT|CRL)_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH)$/;

type Reason = Readonly<Partial<Record<'name' | 'code' | 'syscall' | 'message' | 'cause' | 'errors', unknown>>>;

/** An error and what is behind it: `fetch` wraps its reason, two dead addresses come as a list of reasons. */
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

/** An unexpected error is a flat failure, too, since nothing but `ApiError` leaves `api`. */
export function failureOf(error: unknown): Failure {
  return error instanceof ApiError ? error.failure : { kind: 'connectionLost', code: codeOf(error) };
}
