import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../entered/baseUrl.js';
import { proxyPasswords, readProxyAddress } from '../entered/proxyAddress.js';
import { type Peer, type ProxyAddressProblem, peerOf } from '../failure.js';

/** The settings `http.…` of these names, and the environment. */
export interface RouteSettings {
  readonly proxySupportOff: boolean;
  /** The first one counts. */
  readonly proxies: readonly { readonly from: ProxySource; readonly address: string }[];
  readonly noProxy: readonly string[];
  /** For the proxy of `http.proxy` alone: whoever sets the environment must not receive it. */
  readonly proxyAuthorization: string;
  /** `false`: the editor's `fetch` verifies no certificates, so it is not used. */
  readonly proxyStrictSSL: boolean;
  readonly systemCertificates: boolean;
}

/** An entry is `*`, a host with all names below it (also `.host`, `*.host`), an address or a range, each perhaps with a port. */
export function isNamedBy(entry: string, peer: Peer): boolean {
  const text = entry.trim();
  if (text === '*') return true;
  const [, name = '', port] = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(text) ?? [];
  if (port !== undefined && Number(port) !== peer.port) return false;
  const named = name.replace(/^\[(.*)\]$/, '$1').replace(/^\*?\./, '');
  const host = normalHost(peer.host);
  if (named.includes('/')) return isInRange(named, host);
  const wanted = normalHost(named);
  return wanted !== '' && (host === wanted || (isIP(host) === 0 && host.endsWith(`.${wanted}`)));
}

/** As `URL` writes it, without brackets and last dot; empty if it is no host. */
function normalHost(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  if (/[\s/\\@?#]/.test(host) || !URL.canParse(url)) return '';
  return peerOf(new URL(url)).host.replace(/\.$/, '');
}

function isInRange(range: string, host: string): boolean {
  const [network = '', bits = ''] = range.split('/');
  const version = isIP(network);
  if (
    version === 0 ||
    version !== isIP(host) ||
    !/^\d+$/.test(bits) ||
    Number(bits) > (version === 4 ? 32 : 128)
  ) {
    return false;
  }
  const list = new BlockList();
  list.addSubnet(network, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

/** In the order in which they count. */
export const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

export type ProxySource = 'http.proxy' | (typeof proxyVariables)[number];

export interface Proxy extends Peer {
  readonly kind: 'proxy';
  readonly from: ProxySource;
  readonly tls: boolean;
  readonly authorization?: string;
}

export type Route =
  | {
      readonly kind: 'direct';
      readonly why: 'loopback' | 'proxySupportOff' | 'noProxy' | 'noProxyNamed';
    }
  | Proxy
  /** Only the editor's `fetch` speaks SOCKS. */
  | { readonly kind: 'editor'; readonly from: ProxySource }
  | {
      readonly kind: 'unusable';
      readonly from: ProxySource | 'http.proxyAuthorization';
      readonly problem: ProxyAddressProblem;
    };

/** Where no setting names a proxy, the editor may know one. An editor that verifies no certificates gets no token. */
export function mayAskEditor(route: Route, { proxyStrictSSL }: RouteSettings): boolean {
  const mayKnowMore =
    route.kind === 'editor' || (route.kind === 'direct' && route.why === 'noProxyNamed');
  return mayKnowMore && proxyStrictSSL && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0';
}

export function decideRoute(origin: URL, settings: RouteSettings): Route {
  if (isLoopback(origin.hostname)) return { kind: 'direct', why: 'loopback' };
  if (settings.proxySupportOff) return { kind: 'direct', why: 'proxySupportOff' };
  if (settings.noProxy.some((entry) => isNamedBy(entry, peerOf(origin))))
    return { kind: 'direct', why: 'noProxy' };
  const [named] = settings.proxies;
  if (!named) return { kind: 'direct', why: 'noProxyNamed' };
  return proxyRoute(named.from, named.address, settings.proxyAuthorization);
}

/** A proxy gets only the credentials that stand where its address stands. */
function proxyRoute(from: ProxySource, text: string, proxyAuthorization: string): Route {
  const address = readProxyAddress(text);
  if (!address.ok) return { kind: 'unusable', from, problem: address.problem };
  const { protocol, host, port } = address;
  if (protocol === 'socks') return { kind: 'editor', from };
  const configured = from === 'http.proxy' ? proxyAuthorization : '';
  const illegal = /[^\x20-\x7e]/u.exec(configured)?.[0];
  if (illegal !== undefined) {
    return {
      kind: 'unusable',
      from: 'http.proxyAuthorization',
      problem: { kind: 'control', character: illegal },
    };
  }
  const authorization = configured || address.authorization;
  return {
    kind: 'proxy',
    from,
    tls: protocol === 'https',
    host,
    port,
    ...(authorization && { authorization }),
  };
}

/** Redacting a shorter one would change our own sentences, and so spell it out. */
const minRedactedChars = 4;

/** The credentials of proxies that no text may show. */
export function proxyCredentials({
  proxies,
  proxyAuthorization,
}: RouteSettings): readonly string[] {
  const passwords = proxies.flatMap(({ address }) => proxyPasswords(address));
  // "Basic dXNlcjpwYXNz": the scheme is no secret, and would be redacted everywhere.
  const value = proxyAuthorization.split(/\s+/).at(-1) ?? '';
  return [...passwords, value].filter((secret) => secret.length >= minRedactedChars);
}
