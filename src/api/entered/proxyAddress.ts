import { type Peer, type ProxyAddressProblem, peerOf } from '../failure.js';
import { isPlaceholder, withoutQuotes } from './pastedText.js';
import { foreignInHost, isUnchangedHost } from './urlHost.js';

type Protocol = 'http' | 'https' | 'socks';

/** `authorization`: the value of `Proxy-Authorization`, if the address has user or password. */
type ProxyAddress =
  | (Peer & { readonly ok: true; readonly protocol: Protocol; readonly authorization?: string })
  | { readonly ok: false; readonly problem: ProxyAddressProblem };

/**
 * Reads a proxy's address from settings or environment. Without a scheme, the proxy speaks HTTP.
 * Refuses an address that `URL` would silently read with another host, port, or user.
 */
export function readProxyAddress(text: string): ProxyAddress {
  const address = withoutQuotes(text);
  const parts = partsOf(address);
  const problem =
    textProblem(address) ??
    schemeProblem(address, parts) ??
    escapeProblem(parts.userInfo) ??
    hostProblem(parts) ??
    userProblem(parts.userInfo);
  if (problem !== undefined) return { ok: false, problem };

  const protocol = protocolOf(parts.scheme)!;
  const { host, port } = peerOf(new URL(hostUrl(parts, protocol)));
  // TLS accepts no name with a dot at its end (RFC 6066, 3).
  const peer = { host: host.replace(/\.$/, ''), port };
  const credentials = credentialsIn(parts.userInfo);
  const hasCredentials = credentials.user.length > 0 || credentials.password.length > 0;
  if (!hasCredentials) return { ok: true, protocol, ...peer };
  return { ok: true, protocol, ...peer, authorization: basicAuthorization(credentials) };
}

/**
 * Returns the password of a proxy's address as it is written, and as a proxy would get it; nothing
 * without a password. Also reads an address that `readProxyAddress` refuses, as far as it has one.
 */
export function proxyPasswords(text: string): readonly string[] {
  const { userInfo } = partsOf(withoutQuotes(text));
  const colon = userInfo.indexOf(':');
  if (colon < 0) return [];
  const { password } = credentialsIn(userInfo);
  return [userInfo.slice(colon + 1), password.toString()];
}

/** The parts of an address as they are written. Each may be empty. */
interface AddressParts {
  /**
   * All schemes at the start, because a program may have put one before another: `http://https://`.
   */
  readonly scheme: string;
  /** Everything between the scheme and the last `@`. */
  readonly userInfo: string;
  /** With the brackets of IPv6. */
  readonly host: string;
  readonly port: string;
  /** Everything after the port. */
  readonly afterPort: string;
}

/**
 * Any other text before `://` may be a user whose password begins with slashes, and after three
 * slashes there is no host.
 */
const schemesAtStart = /^(?:(?:https?|socks\w*|ftp):\/\/(?!\/))*/i;

/** Groups: the host, the port, and everything after it. */
const hostPortAndMore = /^(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?(.*)$/s;

/**
 * Splits an address as a person would: user and password end at the last `@`, whatever they
 * contain.
 */
function partsOf(address: string): AddressParts {
  const scheme = schemesAtStart.exec(address)?.[0] ?? '';
  const afterScheme = address.slice(scheme.length);
  const at = afterScheme.lastIndexOf('@');
  const userInfo = at < 0 ? '' : afterScheme.slice(0, at);
  const match = hostPortAndMore.exec(afterScheme.slice(at + 1));
  return {
    scheme,
    userInfo,
    host: match?.[1] ?? '',
    port: match?.[2] ?? '',
    afterPort: match?.[3] ?? '',
  };
}

/** `scheme`: with `://`; empty stands for HTTP. Returns `undefined` if it is unknown. */
function protocolOf(scheme: string): Protocol | undefined {
  if (/^(?:http:\/\/)?$/i.test(scheme)) return 'http';
  if (/^https:\/\/$/i.test(scheme)) return 'https';
  return /^socks(?:4a?|5h?)?:\/\/$/i.test(scheme) ? 'socks' : undefined;
}

/**
 * `URL` would drop line breaks and tabs, and replace half of a surrogate pair with U+FFFD. A single
 * quote at one end shows that the other one was lost.
 */
const controlOrLoneQuote = /[\p{Cc}\p{Cs}]|^["'`“”‘’]|["'`“”‘’]$/u;

function textProblem(address: string): ProxyAddressProblem | undefined {
  if (isPlaceholder(address)) return { kind: 'placeholder' };
  const character = controlOrLoneQuote.exec(address)?.[0];
  return character === undefined ? undefined : { kind: 'control', character };
}

function schemeProblem(
  address: string,
  { scheme, userInfo }: AddressParts,
): ProxyAddressProblem | undefined {
  const lacksSlashes = scheme === '' && /^(?:https?|socks\w*):/i.test(address);
  const isOtherScheme =
    scheme === '' && userInfo === '' && /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const isUsable = protocolOf(scheme) !== undefined && !lacksSlashes && !isOtherScheme;
  return isUsable ? undefined : { kind: 'scheme' };
}

/** For `URL` such a character ends the host, so that it would read the user as the host. */
function escapeProblem(userInfo: string): ProxyAddressProblem | undefined {
  const character = /[\\/?#]/.exec(userInfo)?.[0];
  return character === undefined ? undefined : { kind: 'character', character };
}

function hostProblem({
  host,
  port,
  afterPort,
  scheme,
}: AddressParts): ProxyAddressProblem | undefined {
  const hasBackslash = `${host}${port}${afterPort}`.includes('\\');
  if (hasBackslash) return { kind: 'host', character: '\\' };
  const isUsablePort =
    /^\d*$/.test(port) && URL.canParse(hostUrl({ host, port }, protocolOf(scheme)));
  if (!isUsablePort || !isUnchangedHost(host)) {
    const character = foreignInHost(host);
    return character === undefined ? { kind: 'host' } : { kind: 'host', character };
  }
  return afterPort === '' || afterPort === '/' ? undefined : { kind: 'afterHost' };
}

/** A URL of host and port alone. `http` stands for SOCKS, whose ports `URL` does not know. */
function hostUrl(
  { host, port }: Pick<AddressParts, 'host' | 'port'>,
  protocol: Protocol | undefined,
): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${host}:${port}`;
}

/** Finds what Basic authentication cannot carry (RFC 7617), percent-encoded or not. */
function userProblem(userInfo: string): ProxyAddressProblem | undefined {
  const { user, password } = credentialsIn(userInfo);
  const control = [...user, ...password].find((byte) => byte < 0x20 || byte === 0x7f);
  if (control !== undefined) return { kind: 'control', character: String.fromCharCode(control) };
  return user.includes(':') ? { kind: 'userColon' } : undefined;
}

/** Without percent-encoding. The bytes need not be UTF-8. */
interface Credentials {
  readonly user: Buffer;
  readonly password: Buffer;
}

/** The first colon that is not percent-encoded separates user and password. */
function credentialsIn(userInfo: string): Credentials {
  const [user = ''] = userInfo.split(':', 1);
  const password = userInfo.slice(user.length + 1);
  return { user: percentDecodedBytes(user), password: percentDecodedBytes(password) };
}

/** `Basic dXNlcjpwYXNz` */
function basicAuthorization({ user, password }: Credentials): string {
  const credentials = Buffer.concat([user, Buffer.from(':'), password]);
  return `Basic ${credentials.toString('base64')}`;
}

/** A `%` without two hexadecimal digits stands for itself. */
function percentDecodedBytes(text: string): Buffer {
  const pieces = text.split(/(%[0-9a-f]{2})/i);
  return Buffer.concat(pieces.map(bytesOfPiece));
}

/** `piece`: exactly one escape such as `%2F`, or a text without escapes. */
function bytesOfPiece(piece: string): Buffer {
  const isEscape = /^%[0-9a-f]{2}$/i.test(piece);
  return isEscape ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece);
}
