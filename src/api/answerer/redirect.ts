import { percentDecoded } from '../entered/baseUrl.js';
import type { Failure, RedirectTarget } from '../failure.js';
import type { KnownSecrets } from '../secrets.js';
import { foreignText } from './webPage.js';

/** The address of a request. */
export interface RequestedAddress {
  readonly baseUrl: string;
  /** The path of the operation, below the base URL. */
  readonly path: string;
}

/** Any other, such as 303, leads to another resource than the requested one. */
const statusesForSameResource = new Set([301, 302, 307, 308]);

/**
 * Returns what a status of 3xx means. A redirect is never followed, because a token is sent only to
 * its own base URL. `location`: the header; empty if it is absent.
 */
export function readRedirect(
  status: number,
  location: string,
  requested: RequestedAddress,
  secrets: KnownSecrets,
): Failure {
  if (status === 304) return { kind: 'unusable', reason: 'notModified', status };
  const url = requested.baseUrl + requested.path;
  const target = parseTarget(asUrlReads(location), url);
  // Redacted before it is parsed, because parsing changes the case of a host. With a secret in its
  // host it cannot be parsed.
  const redactedTarget = parseTarget(secrets.redact(asUrlReads(location)), url);
  if (target === undefined || redactedTarget === undefined)
    return { kind: 'unusable', reason: 'noTarget', status };

  const host = foreignText(redactedTarget.host, secrets);
  const path = foreignText(redactedTarget.pathname, secrets);
  const kind = kindOfTarget(status, target, requested);
  const redirected = { kind: 'redirected', status, target: kind } as const;
  switch (kind) {
    case 'moved': {
      const baseUrl = newBaseUrl(target, requested);
      const foreign = { host, address: host };
      const canBeShown = foreignText(baseUrl, secrets) === baseUrl;
      return { ...redirected, foreign: canBeShown ? { ...foreign, baseUrl } : foreign };
    }
    case 'otherHost':
      return { ...redirected, foreign: { host, address: path === '/' ? host : host + path } };
    case 'sameHost':
      return { ...redirected, foreign: { address: path } };
    case 'sameAddress':
      return redirected;
  }
}

/**
 * Replaces and removes the characters of a host that `URL` would replace or remove, because a
 * secret could hide behind them.
 */
function asUrlReads(location: string): string {
  return location.normalize('NFKC').replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, '');
}

/** `location` may be relative to `base`. Returns `undefined` if it is no HTTP address. */
function parseTarget(location: string, base: string): URL | undefined {
  if (location.trim() === '' || !URL.canParse(location, base)) return undefined;
  const url = new URL(location, base);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

function kindOfTarget(status: number, target: URL, requested: RequestedAddress): RedirectTarget {
  const url = new URL(requested.baseUrl + requested.path);
  const isSameHost = target.host === url.host;
  const isSamePath = segmentsOf(target.pathname).join('/') === segmentsOf(url.pathname).join('/');
  // A platform that adds a slash leads to `http` if something before it ends TLS. So another scheme
  // is the same address if the spelling of the path differs.
  const isOtherSpelling = target.pathname !== url.pathname;
  const isSameScheme = target.protocol === url.protocol;
  if (isSameHost && isSamePath && (isOtherSpelling || isSameScheme)) return 'sameAddress';
  if (statusesForSameResource.has(status) && isSameOperation(target, requested)) return 'moved';
  return isSameHost ? 'sameHost' : 'otherHost';
}

/**
 * Whether the path ends like that of the operation. A path with a URL in it is that of a sign-in
 * page, which leads back to that URL.
 */
function isSameOperation({ pathname }: URL, { path }: RequestedAddress): boolean {
  const segments = segmentsOf(pathname);
  const operation = segmentsOf(path);
  const lastSegments = segments.slice(-operation.length);
  const hasUrl = segments.some((segment) => /^https?:$/i.test(segment));
  return lastSegments.join('/') === operation.join('/') && !hasUrl;
}

/**
 * Returns the decoded segments between the slashes, without empty ones: platforms and gateways add
 * a slash to a path, remove one, join two, or encode a path in another way.
 */
function segmentsOf(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.map(percentDecoded);
}

/** Everything before the segments of the operation. */
function newBaseUrl({ origin, pathname }: URL, { path }: RequestedAddress): string {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const baseSegments = segments.slice(0, -segmentsOf(path).length);
  return [origin, ...baseSegments].join('/');
}
