import { isPlaceholder, withoutQuotes } from './pastedText.js';
import { foreignInHost, isUnchangedHost } from './urlHost.js';

/**
 * Why a text is no address; the first of these that holds.
 * - `placeholder`: it names a value that was not filled in.
 * - `credentials`: it has a user or a password.
 * - `character`: it has a character as in `foreignCharacter`.
 * - `twoSchemes`: another scheme follows the first one.
 * - `notAUrl`: it has no host, or its scheme is right and `URL` cannot read it.
 * - `scheme`: it is not `http` or `https`.
 * - `changedHost`: `URL` would read another host.
 * - `insecure`: it is `http`, and the host is not this machine.
 */
export type AddressProblem =
  | 'placeholder'
  | 'credentials'
  | 'character'
  | 'twoSchemes'
  | 'notAUrl'
  | 'scheme'
  | 'changedHost'
  | 'insecure';

/**
 * Why a text is no base URL. `dots`: the path has `.` or `..`, which `URL` would resolve. `path`:
 * the path does not end in the version prefix.
 */
export type BaseUrlProblem = AddressProblem | 'query' | 'fragment' | 'dots' | 'path';

export type UnusableBaseUrl =
  | { readonly problem: Exclude<BaseUrlProblem, 'character'> }
  | { readonly problem: 'character'; readonly character: string };

type ParsedBaseUrl =
  | { readonly ok: true; readonly url: string }
  | (UnusableBaseUrl & { readonly ok: false });

export const versionPrefix = '/api/v1';

/**
 * Reads a base URL that was typed, pasted, or set. Removes quotes and invisible characters around
 * it, slashes at its end, and a dot at the end of its host, so that DNS, TLS, and the certificate
 * use the same name: TLS accepts no name with such a dot (RFC 6066, 3).
 */
export function parseBaseUrl(text: string): ParsedBaseUrl {
  const address = withoutQuotes(text);
  const problem = baseUrlProblem(address);
  if (problem === 'character') return { ok: false, problem, character: foreignCharacter(address)! };
  if (problem !== undefined) return { ok: false, problem };
  const url = new URL(address);
  url.hostname = url.hostname.replace(/\.$/, '');
  return { ok: true, url: url.origin + withoutTrailingSlash(url.pathname) };
}

/** `https://https://host.example`, also without the second colon: `https://https//host.example`. */
const twoSchemes = /^[a-z]+:\/\/(?:[a-z]+:\/\/|https?:?(?:\/|$))/i;

/** Returns why the text is no address; `undefined` if it is one. */
export function addressProblem(text: string): AddressProblem | undefined {
  const { scheme, authority, host } = partsOf(text);
  if (isPlaceholder(text)) return 'placeholder';
  if (authority.includes('@')) return 'credentials';
  if (foreignCharacter(text) !== undefined) return 'character';
  if (twoSchemes.test(text)) return 'twoSchemes';
  if (authority === '') return 'notAUrl';
  if (!/^https?$/i.test(scheme)) return 'scheme';
  if (!URL.canParse(text)) return 'notAUrl';
  if (!isUnchangedHost(host)) return 'changedHost';
  const { protocol, hostname } = new URL(text);
  return protocol === 'http:' && !isLoopback(hostname) ? 'insecure' : undefined;
}

/**
 * Returns the first character of an address that is invisible or that `URL` reads as a slash, else
 * the first one that no host may have; `undefined` if there is none.
 */
export function foreignCharacter(text: string): string | undefined {
  const { host, withoutHost } = partsOf(text);
  const foreign = /[\\\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.exec(
    withoutHost,
  )?.[0];
  return foreign ?? foreignInHost(host);
}

interface AddressParts {
  /** Empty if the text does not begin like a URL. */
  readonly scheme: string;
  /** Everything between `://` and the path. */
  readonly authority: string;
  readonly host: string;
  /** The text without its host. */
  readonly withoutHost: string;
}

/** Groups: the scheme and the authority. */
const schemeAndAuthority = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;

function partsOf(text: string): AddressParts {
  const match = schemeAndAuthority.exec(text);
  if (match === null) return { scheme: '', authority: '', host: '', withoutHost: text };
  const [, scheme = '', authority = ''] = match;
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(authority) ?? [];
  const hostStart = scheme.length + '://'.length;
  const withoutHost = text.slice(0, hostStart) + text.slice(hostStart + host.length);
  return { scheme, authority, host, withoutHost };
}

function baseUrlProblem(text: string): BaseUrlProblem | undefined {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  // `URL` cannot tell an empty query or fragment from none, so the text is searched.
  const [beforeFragment = ''] = text.split('#', 1);
  if (beforeFragment.includes('?')) return 'query';
  if (text.includes('#')) return 'fragment';
  const hasDotSegment = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(text);
  if (hasDotSegment) return 'dots';
  const path = withoutTrailingSlash(new URL(text).pathname);
  return path.endsWith(versionPrefix) ? undefined : 'path';
}

/**
 * Whether a host, as `URL` writes it, is this machine. Returns `false` for names below `localhost`,
 * because a resolver may lead them to another machine.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}

/** Decodes percent-encoding. Returns the text itself if it is not valid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Percent-encodes the marks that `encodeURIComponent` leaves as they are, but `URL`, Markdown, or a
 * program on the way may not: `dep_(1)` → `dep_%281%29`.
 */
export function withMarksEncoded(encoded: string): string {
  return encoded.replace(/[!'()*~]/g, (mark) => {
    const code = mark.charCodeAt(0).toString(16).toUpperCase();
    return `%${code}`;
  });
}

/**
 * Encodes an ID for a path. `idProblem` refuses the IDs for which this throws, wherever they come
 * from.
 * @throws RangeError for `.`, `..`, and an empty ID, which would make another path
 * @throws URIError for half of a surrogate pair, which has no encoding
 */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError('not a path segment');
  return encodeURIComponent(id);
}
