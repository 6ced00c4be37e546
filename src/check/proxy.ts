import { type Peer, peerOf } from '../api/failure.js';
import { isNamedBy } from '../api/network/route.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy, and the variable that holds its address. An address that is no URL has the host ''. */
export interface EnvironmentProxy extends Peer {
  readonly source: string;
}

/** The proxy that counts for a base URL by Node's rules: `NO_PROXY` is respected, and names in lower case come first. */
export function environmentProxy(baseUrl: string, env: Environment): EnvironmentProxy | undefined {
  const origin = new URL(baseUrl);
  const forHttp = ['http_proxy', 'HTTP_PROXY'];
  const names = origin.protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY', ...forHttp] : forHttp;
  const source = names.find((name) => env[name]);
  if (source === undefined) return undefined;
  const exceptions = env['no_proxy'] ?? env['NO_PROXY'] ?? '';
  const isExcepted = exceptions.split(/[,\s]+/).some((entry) => isNamedBy(entry, peerOf(origin)));
  return isExcepted ? undefined : { source, ...addressOf(env[source]!) };
}

function addressOf(text: string): Peer {
  return URL.canParse(text) ? peerOf(new URL(text)) : { host: '', port: 0 };
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
