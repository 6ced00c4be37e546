/** A host name or address (IPv6 without brackets) and a port. */
export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** With the default port of the scheme if the URL has none. */
export function peerOf(url: URL): Peer {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (url.port !== '') return { host, port: Number(url.port) };
  return { host, port: url.protocol === 'https:' ? 443 : 80 };
}

export function isSamePeer(one: Peer, other: Peer): boolean {
  return one.host === other.host && one.port === other.port;
}

interface PeerWithoutPort {
  readonly host: string;
  readonly port?: number;
}

/** "host.example:8443", "host.example", "[2001:db8::1]:443" */
export function hostAndPort({ host, port }: PeerWithoutPort): string {
  const isIPv6 = host.includes(':');
  const name = isIPv6 ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

/**
 * Why a text is no proxy's address.
 * - `placeholder`: it names a value that was not filled in.
 * - `control`: a character has to be removed: a control character, half of a surrogate pair, a
 *   single quote at one end, or in `http.proxyAuthorization` one that is not ASCII.
 * - `scheme`: its scheme is unknown, or lacks the slashes behind it.
 * - `character`: a character in user or password has to be percent-encoded.
 * - `userColon`: the user name has a colon (RFC 7617).
 * - `host`: the host or the port is wrong. `afterHost`: something follows them.
 */
export interface ProxyAddressProblem {
  readonly kind:
    | 'placeholder'
    | 'control'
    | 'scheme'
    | 'character'
    | 'userColon'
    | 'host'
    | 'afterHost';
  /** The wrong character. No other part of the text may be shown: it may be of the password. */
  readonly character?: string;
}

/** Why a certificate was rejected as expired or not yet valid. In epoch ms. */
export interface CertificateTimes {
  /** By this machine's clock. */
  readonly now: number;
  readonly validFrom?: number;
  readonly validTo?: number;
}

/** Why a connection failed. */
export interface ConnectionCause {
  readonly step: 'dns' | 'refused' | 'tls' | 'proxy' | 'network';
  /**
   * The code of Node, OpenSSL, undici, or Chromium, for example `CERT_HAS_EXPIRED`, or one of this
   * extension, for example `ERR_SOCKS_UNSUPPORTED`. Never text of the peer.
   */
  readonly code: string;
  /**
   * The host of the peer that the step concerned: for `proxy` that of the proxy (empty if it is not
   * known), else the platform's. The cause of a `ConnectionStep` at the proxy has the proxy's host
   * for every step.
   */
  readonly host: string;
  readonly port?: number;
  /** Set if the certificate is expired or not yet valid. */
  readonly times?: CertificateTimes;
  /**
   * Who issued the peer's certificate, if it is not trusted. `itself`: it is self-signed. `known`:
   * an authority whose certificate the peer has sent or the machine has. `missing`: an authority
   * whose certificate neither has.
   */
  readonly issuer?: 'itself' | 'known' | 'missing';
  /** Set if TLS failed after the handshake had ended. */
  readonly isAfterHandshake?: true;
  /** The HTTP status with which a proxy refused a tunnel. */
  readonly status?: number;
  /** The known authentication schemes that a proxy offers with 407, for example `Basic`. */
  readonly schemes?: readonly string[];
  /** Whether the request that the proxy refused with 407 had credentials. */
  readonly sentCredentials?: boolean;
  /**
   * The setting or variable with the proxy's address, for example `HTTPS_PROXY`. Absent if the step
   * concerned no proxy, or one that only VS Code knows.
   */
  readonly source?: string;
  /** Why the value of `source` cannot be used. Then `host` is empty. */
  readonly problem?: ProxyAddressProblem;
}

/**
 * What a status of 400 or more means, except 429: in this order 401, 403, 404, any other status
 * below 500, and 500 or more.
 */
export type RefusalKind =
  | 'tokenRejected'
  | 'notPermitted'
  | 'notFound'
  | 'clientError'
  | 'serverError';

/**
 * Texts of an answer that its sender chose. Each is redacted, on one line, and at most 100
 * characters long, an `address` at most 200.
 */
export interface ForeignTexts {
  /** Of a web page. */
  readonly title?: string;
  /** Of a challenge. */
  readonly realm?: string;
  /** The host that a redirect leads to. */
  readonly host?: string;
  /** What a redirect leads to: "login.example/start", or "/start" on the same host. */
  readonly address?: string;
  /** The new base URL, if a redirect shows that the platform has moved. */
  readonly baseUrl?: string;
}

/**
 * Where a redirect leads. `moved`: to the same operation at another base URL. `sameAddress`: to the
 * address of the request, perhaps with other slashes. `sameHost`, `otherHost`: to any other
 * address.
 */
export type RedirectTarget = 'moved' | 'sameAddress' | 'sameHost' | 'otherHost';

/** An answer with a status of 400 or more, except 429. */
interface Refusal {
  readonly kind: RefusalKind;
  readonly status: number;
  readonly excerpt?: string;
  /**
   * Why the platform may not have sent the answer: it is a web page, or its challenges ask for
   * something else than a token.
   */
  readonly doubt?: 'webPage' | 'challenges';
  /** The known authentication schemes that a 407 offers. */
  readonly schemes?: readonly string[];
  readonly foreign?: ForeignTexts;
}

/**
 * Why a request brought no usable answer.
 * - `notFromPlatform`: a web page that something on the way probably sent.
 * - `rateLimited`: `until` is the end of the pause in epoch ms.
 * - `unreachable`: no connection, by `cause`; `viaEditor` is why the editor's `fetch` had none
 *   either.
 * - `connectionLost`: the connection ended before an answer came.
 * - `invalidHttp`: the answer breaks the rules of HTTP.
 * - `timedOut`: `after` is the time-out in ms.
 * - `unusable`: the answer is of no use for this `reason`.
 *
 * `excerpt` is at most 300 characters of the answer's text, redacted. `code` is as in
 * `ConnectionCause`.
 */
export type Failure =
  | Refusal
  | {
      readonly kind: 'notFromPlatform';
      readonly status: number;
      readonly excerpt?: string;
      readonly foreign?: ForeignTexts;
    }
  | {
      readonly kind: 'rateLimited';
      readonly status: 429;
      readonly until: number;
      readonly excerpt?: string;
    }
  | {
      readonly kind: 'redirected';
      readonly status: number;
      readonly target: RedirectTarget;
      readonly foreign?: ForeignTexts;
    }
  | {
      readonly kind: 'unreachable';
      readonly cause: ConnectionCause;
      readonly viaEditor?: ConnectionCause;
    }
  | { readonly kind: 'connectionLost'; readonly code: string }
  | { readonly kind: 'invalidHttp'; readonly code: string }
  | { readonly kind: 'timedOut'; readonly after: number }
  | { readonly kind: 'cancelled' }
  | {
      readonly kind: 'unusable';
      readonly reason:
        | 'empty'
        | 'notJson'
        | 'wrongShape'
        | 'tooLarge'
        | 'truncated'
        | 'notModified'
        | 'noTarget';
      readonly status: number;
      readonly excerpt?: string;
    };

/**
 * The only error with which requests of client and sender reject. It is flat, because raw TLS
 * errors have circular fields.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /**
   * `sentElapsed`: when the last attempt began, in ms by `SenderOptions.elapsed`; absent if none
   * began.
   */
  constructor(
    readonly failure: Failure,
    readonly sentElapsed?: number,
  ) {
    super(failure.kind);
  }
}
