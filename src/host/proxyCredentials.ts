import { proxyPassword } from '../api/network/route.js';
import type { RouteSettings } from '../api/network/routeSettings.js';

/** What nobody but the proxy may see: the passwords in proxy addresses, and the value of `http.proxyAuthorization`. */
export function proxyCredentials({ proxy, environment, proxyAuthorization }: RouteSettings): readonly string[] {
  const passwords = [proxy, environment.httpsProxy, environment.httpProxy].map((address) =>
    proxyPassword(address ?? ''),
  );
  // "Basic dXNlcjpwYXNz": the scheme is no secret, and would be redacted everywhere.
  const value = proxyAuthorization?.trim().split(/\s+/).at(-1);
  return [...passwords, value].filter((secret): secret is string => secret !== undefined && secret !== '');
}
