import { isLoopback } from '../baseUrl.js';
import { type Peer, peerOf } from './connectError.js';
import { entriesOf, isExempt } from './noProxy.js';
import type { RouteSettings } from './routeSettings.js';

/** Which setting or variable names the proxy. */
export type ProxySource = 'http.proxy' | 'HTTPS_PROXY' | 'HTTP_PROXY';

export interface Proxy extends Peer {
  readonly from: ProxySource;
  /** Whether the proxy itself is spoken to over TLS. */
  readonly tls: boolean;
  /** Value of `Proxy-Authorization`: a secret. */
  readonly authorization?: string;
}

/** The way to a service, and why it is that one (design, "Network"). */
export type Route =
  /** `noProxyNamed`: no setting names a proxy; only then the editor's `fetch` may help if no connection can be made. */
  | { readonly kind: 'direct'; readonly why: 'loopback' | 'proxySupportOff' | 'noProxy' | 'noProxyNamed' }
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  /** A SOCKS proxy: only the editor's `fetch` knows how. */
  | { readonly kind: 'editor'; readonly from: ProxySource }
  /** The text that should name a proxy does not. */
  | { readonly kind: 'unusable'; readonly from: ProxySource };

export function decideRoute(origin: URL, settings: RouteSettings): Route {
  if (isLoopback(origin.hostname)) {
    return { kind: 'direct', why: 'loopback' };
  }
  if (settings.proxySupport === 'off') {
    return { kind: 'direct', why: 'proxySupportOff' };
  }
  const exempt = [...settings.noProxy, ...entriesOf(settings.environment.noProxy)];
  if (isExempt(exempt, peerOf(origin))) {
    return { kind: 'direct', why: 'noProxy' };
  }
  const { httpsProxy, httpProxy } = settings.environment;
  const named: [ProxySource, string | undefined][] = [
    ['http.proxy', settings.proxy],
    ['HTTPS_PROXY', httpsProxy],
    ['HTTP_PROXY', httpProxy],
  ];
  for (const [from, text] of named) {
    if (text) {
      return proxyRoute(from, text, settings.proxyAuthorization);
    }
  }
  return { kind: 'direct', why: 'noProxyNamed' };
}

function proxyRoute(from: ProxySource, text: string, configured: string | undefined): Route {
  const url = proxyUrl(text);
  if (url && /^socks[45]?[ah]?:$/.test(url.protocol)) {
    return { kind: 'editor', from };
  }
  if (!url || url.hostname === '' || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { kind: 'unusable', from };
  }
  const authorization = configured || basic(url);
  if (authorization !== undefined && !/^[\x20-\x7e]+$/.test(authorization)) {
    return { kind: 'unusable', from };
  }
  const tls = url.protocol === 'https:';
  return { kind: 'proxy', proxy: { ...peerOf(url), from, tls, ...(authorization && { authorization }) } };
}

/** What a setting or variable names as the proxy; in the environment it often has no scheme. */
function proxyUrl(text: string): URL | undefined {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** The password in the address of a proxy, if there is one. */
export function proxyPassword(text: string): string | undefined {
  const password = proxyUrl(text)?.password;
  return password ? decoded(password) : undefined;
}

function basic({ username, password }: URL): string | undefined {
  if (username === '' && password === '') {
    return undefined;
  }
  const credentials = `${decoded(username)}:${decoded(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
