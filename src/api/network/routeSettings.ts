/**
 * What decides the way to a base URL. The host tells; nothing here asks the editor or the environment. Proxy addresses and
 * `proxyAuthorization` may hold credentials and leave `api` nowhere but towards that proxy.
 */
export interface RouteSettings {
  /** `http.proxySupport`. Only `off` matters: then no proxy is used at all. */
  readonly proxySupport: 'off' | 'on' | 'fallback' | 'override';
  /** `http.proxy`; empty: none. */
  readonly proxy: string;
  /** `http.noProxy`. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: the value of a `Proxy-Authorization` header. */
  readonly proxyAuthorization?: string;
  /** `http.proxyStrictSSL`. If `false`, the editor's `fetch` verifies no certificates, and is not used by us. */
  readonly proxyStrictSSL?: boolean;
  /** `http.systemCertificates`: trust the certificates of the system's store as well. */
  readonly systemCertificates: boolean;
  /** The proxy variables of the environment, in upper or lower case. */
  readonly environment: {
    readonly httpsProxy?: string;
    readonly httpProxy?: string;
    /** As it stands: a list. */
    readonly noProxy?: string;
  };
}

/** No setting switches off that certificates are verified: an editor that doesn't is not asked. */
export function verifies(settings: RouteSettings): boolean {
  return settings.proxyStrictSSL !== false && process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0';
}
