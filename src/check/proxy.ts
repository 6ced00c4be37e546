import { readProxyAddress } from '../api/entered/proxyAddress.js';
import { type Peer, type ProxyAddressProblem, peerOf } from '../api/failure.js';
import { matchesNoProxyEntry } from '../api/network/route.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy of the environment. */
export interface EnvironmentProxy extends Peer {
  /** The variable that holds its address: "HTTPS_PROXY". */
  readonly source: string;
}

/** An address that would lead Node to another proxy than the one in the variable, or to none. */
interface UnusableProxy {
  /** The variable that holds the address: "HTTPS_PROXY". */
  readonly source: string;
  readonly problem: ProxyAddressProblem;
}

/**
 * Returns the proxy for a base URL by Node's rules, whether or not this Node uses it: `NO_PROXY` is
 * respected, names in lower case come first, and an empty one hides the name in upper case. Returns
 * `undefined` if there is no proxy for it.
 */
export function environmentProxy(
  baseUrl: string,
  env: Environment,
): EnvironmentProxy | UnusableProxy | undefined {
  const origin = new URL(baseUrl);
  const names = origin.protocol === 'https:' ? ['https_proxy', 'http_proxy'] : ['http_proxy'];
  const variables = names.map((name) => setVariable(name, env));
  const source = variables.find((variable) => env[variable]);
  if (source === undefined) return undefined;

  const exceptions = (env['no_proxy'] ?? env['NO_PROXY'] ?? '').split(/[,\s]+/);
  const isExcepted = exceptions.some((entry) => matchesNoProxyEntry(entry, peerOf(origin)));
  if (isExcepted) return undefined;

  const address = readProxyAddress(env[source]!);
  return address.ok
    ? { source, host: address.host, port: address.port }
    : { source, problem: address.problem };
}

/**
 * Returns the name of the variable that is set, perhaps to an empty text: "https_proxy",
 * "HTTPS_PROXY". Returns the name in lower case if both are set, or neither.
 */
function setVariable(lowerCaseName: string, env: Environment): string {
  const upperCaseName = lowerCaseName.toUpperCase();
  const isOnlyUpperCaseSet = env[lowerCaseName] === undefined && env[upperCaseName] !== undefined;
  return isOnlyUpperCaseSet ? upperCaseName : lowerCaseName;
}

/** Whether a Node of this version can use a proxy of the environment. */
export function canUseProxies([major, minor]: readonly [number, number]): boolean {
  return major >= 24 || (major === 22 && minor >= 21);
}

/** Whether the user has turned on Node's use of a proxy of the environment. */
export function isProxyUseOn(env: Environment): boolean {
  const options = [...process.execArgv, env['NODE_OPTIONS']].join(' ');
  return env['NODE_USE_ENV_PROXY'] === '1' || options.includes('--use-env-proxy');
}
