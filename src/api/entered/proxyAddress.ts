import { type Peer, type ProxyAddressProblem, peerOf } from '../failure.js';
import { isPlaceholder, withoutQuotes } from './pastedText.js';
import { foreignInHost, isUnchangedHost } from './urlHost.js';

type Protocol = 'http' | 'https' | 'socks';

type ProxyAddress =
  | (Peer & { readonly ok: true; readonly protocol: Protocol; readonly authorization?: string })
  | { readonly ok: false; readonly problem: ProxyAddressProblem };

/**
 * Reads a proxy's address from settings or environment. One without a scheme is of a proxy that is
 * spoken to over HTTP. Refuses what `URL` would silently turn into another host, port, or user.
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
  // TLS takes no name with a dot at its end (RFC 6066, 3).
  const peer = { host: host.replace(/\.$/, ''), port };
  const credentials = credentialsIn(parts.userInfo);
  if (credentials.user.length + credentials.password.length === 0)
    return { ok: true, protocol, ...peer };
  return { ok: true, protocol, ...peer, authorization: basicAuthorization(credentials) };
}

/** The password as it stands there, and what a proxy would get. Also of an address that is refused, as far as it has one. */
export function proxyPasswords(text: string): readonly string[] {
  const { userInfo } = partsOf(withoutQuotes(text));
  const colon = userInfo.indexOf(':');
  if (colon < 0) return [];
  const { password } = credentialsIn(userInfo);
  return [userInfo.slice(colon + 1), password.toString()];
}

interface Parts {
  /** All schemes at the start, since a program may have put one before another. */
  readonly scheme: string;
  /** What stands before the last `@`. */
  readonly userInfo: string;
  /** With the brackets of IPv6. */
  readonly host: string;
  readonly port: string;
  /** What follows the port. */
  readonly rest: string;
}

/** Reads as a person would: nothing in user or password ends them but the last `@`. */
function partsOf(address: string): Parts {
  // Anything else before `://` may be a user whose password begins with slashes.
  const [scheme = ''] = /^(?:(?:https?|socks\w*|ftp):\/\/(?!\/))*/i.exec(address) ?? [];
  const afterScheme = address.slice(scheme.length);
  const at = afterScheme.lastIndexOf('@');
  const hostAndRest = afterScheme.slice(at + 1);
  const [, host = '', port = '', rest = ''] =
    /^(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?(.*)$/s.exec(hostAndRest) ?? [];
  return { scheme, userInfo: afterScheme.slice(0, Math.max(at, 0)), host, port, rest };
}

function protocolOf(scheme: string): Protocol | undefined {
  if (/^(?:http:\/\/)?$/i.test(scheme)) return 'http';
  if (/^https:\/\/$/i.test(scheme)) return 'https';
  return /^socks(?:4a?|5h?)?:\/\/$/i.test(scheme) ? 'socks' : undefined;
}

/** What has no place in an address: `URL` leaves out line breaks and tabs, and puts U+FFFD for half of a surrogate pair. */
function textProblem(address: string): ProxyAddressProblem | undefined {
  if (isPlaceholder(address)) return { kind: 'placeholder' };
  // Also one quote alone, whose other one was lost.
  const [character] = /[\p{Cc}\p{Cs}]|^["'`“”‘’]|["'`“”‘’]$/u.exec(address) ?? [];
  return character === undefined ? undefined : { kind: 'control', character };
}

function schemeProblem(
  address: string,
  { scheme, userInfo }: Parts,
): ProxyAddressProblem | undefined {
  const lacksSlashes = scheme === '' && /^(?:https?|socks\w*):/i.test(address);
  const isUnknown = scheme === '' && userInfo === '' && /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const isKnown = protocolOf(scheme) !== undefined && !lacksSlashes && !isUnknown;
  return isKnown ? undefined : { kind: 'scheme' };
}

/** For `URL` such a character ends the host, and what stands before it would be that. */
function escapeProblem(userInfo: string): ProxyAddressProblem | undefined {
  const [character] = /[\\/?#]/.exec(userInfo) ?? [];
  return character === undefined ? undefined : { kind: 'character', character };
}

function hostProblem({ host, port, rest, scheme }: Parts): ProxyAddressProblem | undefined {
  if (`${host}${port}${rest}`.includes('\\')) return { kind: 'host', character: '\\' };
  const isPort = /^\d*$/.test(port) && URL.canParse(hostUrl({ host, port }, protocolOf(scheme)));
  if (!isPort || !isUnchangedHost(host)) {
    const character = foreignInHost(host);
    return character === undefined ? { kind: 'host' } : { kind: 'host', character };
  }
  return rest === '' || rest === '/' ? undefined : { kind: 'afterHost' };
}

/** A URL with nothing but host and port, because `URL` does not know the ports of SOCKS. */
function hostUrl(
  { host, port }: Pick<Parts, 'host' | 'port'>,
  protocol: Protocol | undefined,
): string {
  return `${protocol === 'https' ? 'https' : 'http'}://${host}:${port}`;
}

/** What Basic cannot carry (RFC 7617), whether it is percent-encoded or not. */
function userProblem(userInfo: string): ProxyAddressProblem | undefined {
  const { user, password } = credentialsIn(userInfo);
  const control = [...user, ...password].find((byte) => byte < 0x20 || byte === 0x7f);
  if (control !== undefined) return { kind: 'control', character: String.fromCharCode(control) };
  return user.includes(':') ? { kind: 'userColon' } : undefined;
}

interface Credentials {
  readonly user: Buffer;
  readonly password: Buffer;
}

/** The first colon that is not percent-encoded stands between user and password. */
function credentialsIn(userInfo: string): Credentials {
  const [user = ''] = userInfo.split(':', 1);
  return { user: decodedBytes(user), password: decodedBytes(userInfo.slice(user.length + 1)) };
}

function basicAuthorization({ user, password }: Credentials): string {
  const credentials = Buffer.concat([user, Buffer.from(':'), password]);
  return `Basic ${credentials.toString('base64')}`;
}

/** A `%` without two hexadecimal digits stands for itself. The bytes need not be UTF-8. */
function decodedBytes(text: string): Buffer {
  const pieces = text.split(/(%[0-9a-f]{2})/i);
  return Buffer.concat(pieces.map(bytesOf));
}

function bytesOf(piece: string): Buffer {
  const isEscape = /^%[0-9a-f]{2}$/i.test(piece);
  return isEscape ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece);
}
