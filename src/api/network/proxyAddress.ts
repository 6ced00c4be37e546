import { type Peer, type ProxyAddressProblem, peerOf } from '../failure.js';
import { isPlaceholder, withoutQuotes } from '../pastedText.js';
import { foreignInHost, isUnchangedHost } from '../urlHost.js';

type Protocol = 'http' | 'https' | 'socks';

type ProxyAddress =
  | (Peer & { readonly ok: true; readonly protocol: Protocol; readonly authorization?: string })
  | { readonly ok: false; readonly problem: ProxyAddressProblem };

/**
 * Reads a proxy's address from settings or environment. One without a scheme is of a proxy that is
 * spoken to over HTTP. Refuses what `URL` would silently turn into another host, port, or user.
 */
export function readProxyAddress(text: string): ProxyAddress {
  const { address, prefix, userInfo, hostAndRest } = partsOf(text);
  if (isPlaceholder(address)) return refused('placeholder');
  const control = /[\p{Cc}\p{Cs}]/u.exec(address)?.[0];
  if (control !== undefined) return refused('control', control);
  const protocol = protocolOf(prefix);
  const lacksSlashes = prefix === '' && /^(?:https?|socks\w*):/i.test(address);
  const isOtherScheme = userInfo === '' && /^[a-z][a-z0-9+.-]*:\/\//i.test(hostAndRest);
  if (protocol === undefined || lacksSlashes || isOtherScheme) return refused('scheme');
  const special = /[\\/?#]/.exec(userInfo)?.[0];
  if (special !== undefined) return refused('character', special);
  if (hostAndRest.includes('\\')) return refused('host', '\\');

  const [, host = '', port = '', rest = ''] = /^(\[[^\]]*\]|[^:/?#]*)(?::([^/?#]*))?(.*)$/s.exec(hostAndRest) ?? [];
  const url = `${protocol === 'https' ? 'https' : 'http'}://${host}:${port}`;
  const isPort = /^\d*$/.test(port) && URL.canParse(url);
  if (!isPort || !isUnchangedHost(host)) return refused('host', foreignInHost(host));
  if (rest !== '' && rest !== '/') return refused('afterHost');

  const [user, password] = credentialsIn(userInfo);
  const credentials = Buffer.concat([user, Buffer.from(':'), password]);
  const decodedControl = credentials.find((byte) => byte < 0x20 || byte === 0x7f);
  if (decodedControl !== undefined) return refused('control', String.fromCharCode(decodedControl));
  if (user.includes(':')) return refused('userColon');
  const authorization = `Basic ${credentials.toString('base64')}`;
  return { ok: true, protocol, ...peerOf(new URL(url)), ...(credentials.length > 1 && { authorization }) };
}

function refused(kind: ProxyAddressProblem['kind'], character?: string): ProxyAddress {
  return { ok: false, problem: { kind, ...(character !== undefined && { character }) } };
}

/** The password as it stands there, and what a proxy would get. Also of an address that is refused, as far as it has one. */
export function proxyPasswords(text: string): readonly string[] {
  const { userInfo } = partsOf(text);
  const written = userInfo.slice(userInfo.indexOf(':') + 1);
  return userInfo.includes(':') ? [written, credentialsIn(userInfo)[1].toString()] : [];
}

/**
 * `prefix`: all schemes at the start, since a program may have put one before another. Anything else
 * before `://` may be a user whose password begins with slashes.
 */
function partsOf(text: string) {
  const address = withoutQuotes(text);
  const [prefix = ''] = /^(?:(?:https?|socks\w*|ftp):\/\/(?!\/))*/i.exec(address) ?? [];
  const rest = address.slice(prefix.length);
  const at = rest.lastIndexOf('@');
  return { address, prefix, userInfo: rest.slice(0, Math.max(at, 0)), hostAndRest: rest.slice(at + 1) };
}

function protocolOf(prefix: string): Protocol | undefined {
  if (/^(?:http:\/\/)?$/i.test(prefix)) return 'http';
  if (/^https:\/\/$/i.test(prefix)) return 'https';
  return /^socks(?:4a?|5h?)?:\/\/$/i.test(prefix) ? 'socks' : undefined;
}

/** User and password are separated by the first colon that is not percent-encoded. */
function credentialsIn(userInfo: string): readonly [user: Buffer, password: Buffer] {
  const [user = ''] = userInfo.split(':', 1);
  return [decodedBytes(user), decodedBytes(userInfo.slice(user.length + 1))];
}

/** A `%` without two hexadecimal digits stands for itself. The bytes need not be UTF-8. */
function decodedBytes(text: string): Buffer {
  const parts = text.split(/(%[0-9a-f]{2})/i);
  return Buffer.concat(parts.map((part, at) => (at % 2 === 1 ? Buffer.from(part.slice(1), 'hex') : Buffer.from(part))));
}
