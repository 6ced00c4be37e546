import type { Failure, RedirectTarget } from '../failure.js';
import type { KnownSecrets } from '../secrets.js';
import { foreignText } from './webPage.js';

/** What was asked: `path` is that of the operation, below the base URL. */
export interface Asked {
  readonly baseUrl: string;
  readonly path: string;
}

const permanentOrTemporary = new Set([301, 302, 307, 308]);

/** Returns what a status of 3xx means. It is never followed, because a token is sent only to its own base URL. */
export function readRedirect(status: number, location: string, asked: Asked, secrets: KnownSecrets): Failure {
  if (status === 304) return { kind: 'unusable', reason: 'notModified', status };
  const url = asked.baseUrl + asked.path;
  const target = parse(location, url);
  // Redacted before it is parsed, which changes the case of a host. One with a secret in it has no shape then.
  const shown = parse(secrets.redact(location), url);
  if (target === undefined || shown === undefined) return { kind: 'unusable', reason: 'noTarget', status };
  const host = foreignText(shown.host, secrets);
  const path = foreignText(shown.pathname, secrets);
  const kind = kindOf(status, target, asked);
  const redirected = { kind: 'redirected', status, target: kind } as const;
  switch (kind) {
    case 'moved': {
      const baseUrl = foreignText(baseUrlOf(target, asked), secrets);
      return { ...redirected, foreign: { host, address: host, baseUrl } };
    }
    case 'otherHost':
      return { ...redirected, foreign: { host, address: path === '/' ? host : host + path } };
    case 'sameHost':
      return { ...redirected, foreign: { address: path } };
    case 'sameAddress':
      return redirected;
  }
}

function parse(location: string, base: string): URL | undefined {
  if (location.trim() === '' || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

function kindOf(status: number, target: URL, asked: Asked): RedirectTarget {
  const url = new URL(asked.baseUrl + asked.path);
  const isSameHost = target.host === url.host;
  // Behind something that ends TLS, platforms that add a slash lead to `http`.
  const isSlashApart = target.pathname !== url.pathname;
  const isSamePath = withoutSlashes(target.pathname) === withoutSlashes(url.pathname);
  if (isSameHost && isSamePath && (isSlashApart || target.protocol === url.protocol)) return 'sameAddress';
  const isSameOperation = withoutSlashes(target.pathname).endsWith(asked.path);
  if (permanentOrTemporary.has(status) && isSameOperation) return 'moved';
  return isSameHost ? 'sameHost' : 'otherHost';
}

/** Platforms and gateways add a slash to a path, take one off, or make one of two. */
function withoutSlashes(path: string): string {
  return path.replace(/\/+/g, '/').replace(/\/$/, '');
}

function baseUrlOf({ origin, pathname }: URL, { path }: Asked): string {
  return origin + withoutSlashes(pathname).slice(0, -path.length);
}
