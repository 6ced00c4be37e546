import { readProxyAddress } from '../api/entered/proxyAddress.js';
import { type Peer, type ProxyAddressProblem, peerOf } from '../api/failure.js';
import { matchesNoProxyEntry } from '../api/network/route.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that holds its address. */
export interface EnvironmentProxy extends Peer {
  readonly source: string;
}

/** A variable whose address would lead Node to another proxy than the one that stands there, or to none. */
interface UnusableProxy {
  readonly source: string;
  readonly problem: ProxyAddressProblem;
}

/**
 * The proxy that counts for a base URL by Node's rules: `NO_PROXY` is respected, names in lower case come
 * first, and an empty one hides the other.
 */
export function environmentProxy(
  baseUrl: string,
  env: Environment,
): EnvironmentProxy | UnusableProxy | undefined {
  const origin = new URL(baseUrl);
  const set = (name: string) =>
    [name, name.toUpperCase()].find((one) => env[one] !== undefined) ?? name;
  const names = [...(origin.protocol === 'https:' ? ['https_proxy'] : []), 'http_proxy'].map(set);
  const source = names.find((name) => env[name]);
  if (source === undefined) return undefined;
  const exceptions = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const isExcepted = exceptions
    .split(/[,\s]+/)
    .some((entry) => matchesNoProxyEntry(entry, peerOf(origin)));
  if (isExcepted) return undefined;
  const address = readProxyAddress(env[source]!);
  return address.ok
    ? { source, host: address.host, port: address.port }
    : { source, problem: address.problem };
}

/** Whether this Node knows how to use a proxy of the environment. */
export function canUseProxies([major, minor]: readonly [number, number]): boolean {
  return major >= 24 || (major === 22 && minor >= 21);
}

/** Whether Node was told to use one. */
export function isToldToUseProxies(env: Environment): boolean {
  const options = [...process.execArgv, env['NODE_OPTIONS']].join(' ');
  return env['NODE_USE_ENV_PROXY'] === '1' || options.includes('--use-env-proxy');
}
