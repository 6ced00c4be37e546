/** Why a text is no base URL: the first of these that holds. `insecure`: `http` to a host that is not this machine. */
export type BaseUrlProblem = 'notAUrl' | 'scheme' | 'credentials' | 'insecure' | 'query' | 'fragment' | 'path';

type ParsedBaseUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: BaseUrlProblem };

export const versionPrefix = '/api/v1';

export function parseBaseUrl(text: string): ParsedBaseUrl {
  const trimmed = text.trim();
  const problem = baseUrlProblem(trimmed);
  if (problem !== undefined) return { ok: false, problem };
  const { origin, pathname } = new URL(trimmed);
  return { ok: true, url: origin + withoutTrailingSlash(pathname) };
}

export function addressProblem(
  text: string,
): Extract<BaseUrlProblem, 'notAUrl' | 'scheme' | 'credentials' | 'insecure'> | undefined {
  // `URL` repairs what its author would not recognize afterwards: backslashes, line breaks, missing slashes.
  const authority = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || /[\s\\]/.test(text) || !URL.canParse(text)) return 'notAUrl';
  const { protocol, hostname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return 'scheme';
  if (authority.includes('@')) return 'credentials';
  return protocol === 'http:' && !isLoopback(hostname) ? 'insecure' : undefined;
}

function baseUrlProblem(text: string): BaseUrlProblem | undefined {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  // In the text, since `URL` can't tell an empty query or fragment from none.
  const fragment = text.indexOf('#');
  if (text.slice(0, fragment < 0 ? undefined : fragment).includes('?')) return 'query';
  if (fragment >= 0) return 'fragment';
  return withoutTrailingSlash(new URL(text).pathname).endsWith(versionPrefix) ? undefined : 'path';
}

/** Names below `localhost` are not among them, because a resolver may lead these to another machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/\/+$/, '');
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Percent-encodes the marks that `encodeURIComponent` leaves alone, but `URL`, Markdown or a program on the way may not. */
export function markless(encoded: string): string {
  return encoded.replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** @throws for what would make another path, or has no encoding. `idProblem` refuses such IDs wherever they come from. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError('not a path segment');
  return encodeURIComponent(id);
}
