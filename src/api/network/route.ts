import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../entered/baseUrl.js';
import { proxyPasswords, readProxyAddress } from '../entered/proxyAddress.js';
import { type Peer, type ProxyAddressProblem, peerOf } from '../failure.js';

/** The settings `http.…` of these names, and the environment. */
export interface RouteSettings {
  /** Whether `http.proxySupport` is `off`. */
  readonly proxySupportOff: boolean;
  /** Of the setting and the environment. Only the first one counts. */
  readonly proxies: readonly { readonly source: ProxySource; readonly address: string }[];
  /** Entries of the setting and of `NO_PROXY`. */
  readonly noProxy: readonly string[];
  /**
   * Only for the proxy of `http.proxy`. A proxy from the environment must not get it, because
   * another user or program may have set that.
   */
  readonly proxyAuthorization: string;
  /** `false`: the editor's `fetch` verifies no certificates, so it is not used. */
  readonly proxyStrictSSL: boolean;
  readonly systemCertificates: boolean;
}

/** Groups: a host, an IPv6 address (with or without brackets), or a range; and the port. */
const noProxyEntry = /^(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/;

/**
 * Whether requests to `peer` take no proxy because of one entry of `NO_PROXY`. An entry is `*`, a
 * host (which includes all names below it, also as `.host` or `*.host`), an address, or a range
 * such as `192.0.2.0/24`, each perhaps with a port.
 */
export function matchesNoProxyEntry(entry: string, peer: Peer): boolean {
  const text = entry.trim();
  if (text === '*') return true;
  const match = noProxyEntry.exec(text);
  const port = match?.[2];
  if (port !== undefined && Number(port) !== peer.port) return false;

  const withoutBrackets = (match?.[1] ?? '').replace(/^\[(.*)\]$/, '$1');
  const hostOrRange = withoutBrackets.replace(/^\*?\./, '');
  const peerHost = normalizedHost(peer.host);
  if (hostOrRange.includes('/')) return isInRange(hostOrRange, peerHost);
  const entryHost = normalizedHost(hostOrRange);
  if (entryHost === '') return false;
  if (peerHost === entryHost) return true;
  const isName = isIP(peerHost) === 0;
  return isName && peerHost.endsWith(`.${entryHost}`);
}

/** The host as `URL` writes it, without brackets and last dot; empty if it is no host. */
function normalizedHost(host: string): string {
  const url = `http://${isIP(host) === 6 ? `[${host}]` : host}`;
  if (/[\s/\\@?#]/.test(host) || !URL.canParse(url)) return '';
  return peerOf(new URL(url)).host.replace(/\.$/, '');
}

/**
 * `range`: for example `192.0.2.0/24`. Returns `false` if it is no range, or of another IP version.
 */
function isInRange(range: string, host: string): boolean {
  const [network = '', prefixLength = ''] = range.split('/');
  const version = isIP(network);
  if (version === 0 || version !== isIP(host)) return false;
  const maxPrefixLength = version === 4 ? 32 : 128;
  const isPrefixLength = /^\d+$/.test(prefixLength) && Number(prefixLength) <= maxPrefixLength;
  if (!isPrefixLength) return false;

  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(prefixLength), family);
  return list.check(host, family);
}

/** Environment variables with a proxy's address. The first one that is set counts. */
export const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'] as const;

/** The setting or variable with a proxy's address. */
export type ProxySource = 'http.proxy' | (typeof proxyVariables)[number];

export interface Proxy extends Peer {
  readonly kind: 'proxy';
  readonly source: ProxySource;
  /** Whether connections to the proxy itself use TLS. */
  readonly usesTls: boolean;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: string;
}

/** How requests get to the platform. */
export type Route =
  | {
      readonly kind: 'direct';
      /**
       * `noProxy`: an entry names the host. `noProxyNamed`: no setting or variable names a proxy.
       */
      readonly why: 'loopback' | 'proxySupportOff' | 'noProxy' | 'noProxyNamed';
    }
  | Proxy
  /** By the editor's `fetch` alone, because only that speaks SOCKS. */
  | { readonly kind: 'editor'; readonly source: ProxySource }
  | {
      readonly kind: 'unusable';
      readonly source: ProxySource | 'http.proxyAuthorization';
      readonly problem: ProxyAddressProblem;
    };

/**
 * Whether the editor's `fetch` may send, alone or after an own connection has failed. Where no
 * setting names a proxy, VS Code may know one. An editor that verifies no certificates gets no
 * token.
 */
export function mayUseEditor(route: Route, { proxyStrictSSL }: RouteSettings): boolean {
  const mayKnowProxy =
    route.kind === 'editor' || (route.kind === 'direct' && route.why === 'noProxyNamed');
  const verifiesCertificates =
    proxyStrictSSL && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0';
  return mayKnowProxy && verifiesCertificates;
}

/**
 * Returns the way to the platform, whose origin is given. Of several proxies the first one counts:
 * the setting before the environment variables.
 */
export function decideRoute(origin: URL, settings: RouteSettings): Route {
  if (isLoopback(origin.hostname)) return { kind: 'direct', why: 'loopback' };
  if (settings.proxySupportOff) return { kind: 'direct', why: 'proxySupportOff' };
  const peer = peerOf(origin);
  if (settings.noProxy.some((entry) => matchesNoProxyEntry(entry, peer)))
    return { kind: 'direct', why: 'noProxy' };
  const [proxy] = settings.proxies;
  if (!proxy) return { kind: 'direct', why: 'noProxyNamed' };
  return proxyRoute(proxy.source, proxy.address, settings.proxyAuthorization);
}

/**
 * The value of `http.proxyAuthorization` is for the proxy of the setting `http.proxy` alone, in
 * place of credentials in its address. Any other proxy gets the credentials in its own address.
 */
function proxyRoute(from: ProxySource, text: string, proxyAuthorization: string): Route {
  const address = readProxyAddress(text);
  if (!address.ok) return { kind: 'unusable', source: from, problem: address.problem };
  const { protocol, host, port } = address;
  if (protocol === 'socks') return { kind: 'editor', source: from };

  const configured = from === 'http.proxy' ? proxyAuthorization : '';
  const character = /[^\x20-\x7e]/u.exec(configured)?.[0];
  if (character !== undefined) {
    const problem: ProxyAddressProblem = { kind: 'control', character };
    return { kind: 'unusable', source: 'http.proxyAuthorization', problem };
  }
  const route: Proxy = { kind: 'proxy', source: from, usesTls: protocol === 'https', host, port };
  const authorization = configured || address.authorization;
  return authorization ? { ...route, authorization } : route;
}

/**
 * A shorter secret is not redacted: our own sentences would contain it by chance, and the gaps in
 * them would show what it is.
 */
const minRedactedChars = 4;

/**
 * Returns the passwords of all proxy addresses, as they are written and percent-decoded, and the
 * credentials of `http.proxyAuthorization`, so that they can be redacted.
 */
export function proxyCredentials({
  proxies,
  proxyAuthorization,
}: RouteSettings): readonly string[] {
  const passwords = proxies.flatMap(({ address }) => proxyPasswords(address));
  // Not the scheme of "Basic dXNlcjpwYXNz", which is no secret and would be redacted everywhere.
  const credentials = proxyAuthorization.split(/\s+/).at(-1) ?? '';
  return [...passwords, credentials].filter((secret) => secret.length >= minRedactedChars);
}
