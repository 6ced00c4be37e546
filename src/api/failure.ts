/** A host name or address (IPv6 without brackets) and a port. */
export interface Peer {
  readonly host: string;
  readonly port: number;
}

export function peerOf(url: URL): Peer {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host,
    port: url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port),
  };
}

export function isSamePeer(one: Peer, other: Peer): boolean {
  return one.host === other.host && one.port === other.port;
}

export function hostAndPort({
  host,
  port,
}: {
  readonly host: string;
  readonly port?: number;
}): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

/**
 * Why a text is no proxy's address. `character`: it has to be percent-encoded in user or password.
 * `control`: it cannot be sent to a proxy, encoded or not. `userColon`: nor can a user name with a colon
 * (RFC 7617). `host`: or the port.
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
  /** The one to blame. Nothing else of the text may be shown, since any part may be of the password. */
  readonly character?: string;
}

/** Epoch ms: this machine's time, and from when to when a certificate is valid, if that is known. */
export interface CertificateTimes {
  readonly now: number;
  readonly validFrom?: number;
  readonly validTo?: number;
}

export interface ConnectionCause {
  readonly step: 'dns' | 'refused' | 'tls' | 'proxy' | 'network';
  /** Node's, OpenSSL's, undici's or Chromium's code, for example `CERT_HAS_EXPIRED`; never free text of the peer. */
  readonly code: string;
  /** The peer that this step concerned: the proxy's host for `proxy` (empty: not known), else the platform's. */
  readonly host: string;
  readonly port?: number;
  /** Of a certificate that is not yet or no longer valid. */
  readonly times?: CertificateTimes;
  /**
   * Who issued the peer's certificate, if that is not trusted: itself, an authority whose certificate the
   * peer or the machine has, or one that is `missing`.
   */
  readonly issuer?: 'itself' | 'known' | 'missing';
  /** TLS failed on a connection whose handshake had ended. */
  readonly isAfterHandshake?: true;
  /** With which a proxy refused a tunnel. */
  readonly status?: number;
  /** The registered authentication schemes that a proxy offers with 407. */
  readonly schemes?: readonly string[];
  /** Whether the proxy got credentials with the request that it refused. */
  readonly sentCredentials?: boolean;
  /** Where the proxy's address stands, for example `HTTPS_PROXY`, if this step concerned a proxy of ours. */
  readonly source?: string;
  /** Why the text in `source` cannot be used. Then `host` is empty. */
  readonly problem?: ProxyAddressProblem;
}

/** What a status of 400 or more means, 429 apart: 401, 403, 404, another below 500, the others. */
export type RefusalKind =
  | 'tokenRejected'
  | 'notPermitted'
  | 'notFound'
  | 'clientError'
  | 'serverError';

/**
 * What whoever answered says of itself. Foreign text: redacted, on one line, at most 100 characters
 * each. `title`: of a web page. `realm`: of a challenge. The others are of a redirect's target;
 * `baseUrl`: the new one, if the platform has moved.
 */
export interface ForeignTexts {
  readonly title?: string;
  readonly realm?: string;
  readonly host?: string;
  /** "login.example/start", on the same host "/start". */
  readonly address?: string;
  readonly baseUrl?: string;
}

/**
 * Where a redirect leads. `moved`: to the same operation at another base URL. `sameAddress`: to what
 * was asked, a slash apart. `sameHost`, `otherHost`: to another path there.
 */
export type RedirectTarget = 'moved' | 'sameAddress' | 'sameHost' | 'otherHost';

interface Refusal {
  readonly kind: RefusalKind;
  readonly status: number;
  readonly excerpt?: string;
  /** What speaks against the platform having sent it: a web page, or challenges for something else than a token. */
  readonly doubt?: 'webPage' | 'challenges';
  /** The registered authentication schemes that a 407 offers. */
  readonly schemes?: readonly string[];
  readonly foreign?: ForeignTexts;
}

/**
 * Everything that can come of a request except a usable answer. `excerpt`: at most 300 characters of
 * the answer's text, redacted. `notFromPlatform`: a web page that something on the way probably sent.
 * `invalidHttp`: an answer that breaks the rules of HTTP.
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

/** The only error that leaves `api`: flat, because raw TLS errors have circular fields. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** `sentElapsed`: ms by a clock that is never set, when the last attempt began; absent if there was none. */
  constructor(
    readonly failure: Failure,
    readonly sentElapsed?: number,
  ) {
    super(failure.kind);
  }
}
