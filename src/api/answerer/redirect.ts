import { decoded } from '../entered/baseUrl.js';
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
export function readRedirect(
  status: number,
  location: string,
  asked: Asked,
  secrets: KnownSecrets,
): Failure {
  if (status === 304) return { kind: 'unusable', reason: 'notModified', status };
  const url = asked.baseUrl + asked.path;
  const target = parse(plain(location), url);
  // Redacted before it is parsed, which changes the case of a host. One with a secret in it has no shape then.
  const shown = parse(secrets.redact(plain(location)), url);
  if (target === undefined || shown === undefined)
    return { kind: 'unusable', reason: 'noTarget', status };
  const host = foreignText(shown.host, secrets);
  const path = foreignText(shown.pathname, secrets);
  const kind = kindOf(status, target, asked);
  const redirected = { kind: 'redirected', status, target: kind } as const;
  switch (kind) {
    case 'moved': {
      const baseUrl = baseUrlOf(target, asked);
      const isWhole = foreignText(baseUrl, secrets) === baseUrl;
      return { ...redirected, foreign: { host, address: host, ...(isWhole && { baseUrl }) } };
    }
    case 'otherHost':
      return { ...redirected, foreign: { host, address: path === '/' ? host : host + path } };
    case 'sameHost':
      return { ...redirected, foreign: { address: path } };
    case 'sameAddress':
      return redirected;
  }
}

/** As `URL` reads it, which leaves out some characters and puts others for some: else a secret could hide behind them. */
function plain(location: string): string {
  return location.normalize('NFKC').replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
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
  const isSamePath = segmentsOf(target.pathname).join('/') === segmentsOf(url.pathname).join('/');
  if (isSameHost && isSamePath && (isSlashApart || target.protocol === url.protocol))
    return 'sameAddress';
  if (permanentOrTemporary.has(status) && isSameOperation(target, asked)) return 'moved';
  return isSameHost ? 'sameHost' : 'otherHost';
}

/** A sign-in page may be told in its path where to lead back to: such a path holds a URL. */
function isSameOperation({ pathname }: URL, { path }: Asked): boolean {
  const segments = segmentsOf(pathname);
  const operation = segmentsOf(path);
  const ending = segments.slice(-operation.length);
  return (
    ending.join('/') === operation.join('/') &&
    !segments.some((segment) => /^https?:$/i.test(segment))
  );
}

/** Platforms and gateways add a slash to a path, take one off, make one of two, or encode it in another way. */
function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded);
}

/** Everything before the segments of the operation. */
function baseUrlOf({ origin, pathname }: URL, { path }: Asked): string {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  return [origin, ...segments.slice(0, -segmentsOf(path).length)].join('/');
}
