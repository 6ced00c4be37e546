import { isPlaceholder, withoutQuotes } from './pastedText.js';
import { foreignInHost, isUnchangedHost } from './urlHost.js';

/**
 * Why a text is no address: the first of these that holds. `placeholder`: the name of a value that was not
 * filled in. `character`: see `foreignCharacter`. `changedHost`: `URL` makes another one of it.
 * `insecure`: `http` to a host that is not this machine.
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

/** Why a text is no base URL. `dots`: `.` or `..` in the path, which `URL` resolves. */
export type BaseUrlProblem = AddressProblem | 'query' | 'fragment' | 'dots' | 'path';

export type UnusableBaseUrl =
  | { readonly problem: Exclude<BaseUrlProblem, 'character'> }
  | { readonly problem: 'character'; readonly character: string };

type ParsedBaseUrl =
  | { readonly ok: true; readonly url: string }
  | (UnusableBaseUrl & { readonly ok: false });

export const versionPrefix = '/api/v1';

/**
 * Reads what was typed, pasted, or set: without the quotes and invisible characters around it, and without
 * the dot at the end of its host. DNS, TLS, and the certificate then use one name: TLS takes none with
 * such a dot (RFC 6066, 3).
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

/** Also where the colon or a slash of the second one was lost: `https://https//host.example`. */
const twoSchemes = /^[a-z]+:\/\/(?:[a-z]+:\/\/|https?:?(?:\/|$))/i;

/** Why `URL` cannot read this, or would silently make another address of it. */
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

/** The first character that people do not see, that cannot stand in a host, or that `URL` takes for a slash. */
export function foreignCharacter(text: string): string | undefined {
  const { host, around } = partsOf(text);
  const foreign = /[\\\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.exec(around)?.[0];
  return foreign ?? foreignInHost(host);
}

/** Empty where there is none. `around`: all but the host. */
function partsOf(text: string) {
  const [, scheme = '', authority = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i.exec(text) ?? [];
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(authority) ?? [];
  const start = authority === '' ? 0 : scheme.length + '://'.length;
  return {
    scheme,
    authority,
    host,
    around: text.slice(0, start) + text.slice(start + host.length),
  };
}

function baseUrlProblem(text: string): BaseUrlProblem | undefined {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  // In the text, since `URL` can't tell an empty query or fragment from none.
  const fragment = text.indexOf('#');
  if (text.slice(0, fragment < 0 ? undefined : fragment).includes('?')) return 'query';
  if (fragment >= 0) return 'fragment';
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(text)) return 'dots';
  return withoutTrailingSlash(new URL(text).pathname).endsWith(versionPrefix) ? undefined : 'path';
}

/** Names below `localhost` are not among them, because a resolver may lead these to another machine. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function withoutTrailingSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
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
  return encoded.replace(
    /[!'()*~]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** @throws for what would make another path, or has no encoding. `idProblem` refuses such IDs wherever they come from. */
export function pathSegment(id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new RangeError('not a path segment');
  return encodeURIComponent(id);
}
