import { domainToUnicode } from 'node:url';

/**
 * Returns whether `URL` makes exactly this host of it, apart from case and the notation of IPv6: `URL`
 * reads `127.1` as 127.0.0.1, `%61` as `a`, and full-width letters as ASCII, and drops soft hyphens.
 */
export function isUnchangedHost(host: string): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  if (hostname.startsWith('[')) return host.startsWith('[') && host.endsWith(']');
  const written = host.normalize().toLowerCase();
  return /^[\w.-]+$/.test(hostname) && [hostname, domainToUnicode(hostname)].includes(written);
}

/** The first character of a host that stands in no name, or for which `URL` puts others; none in `127.1`. */
export function foreignInHost(host: string): string | undefined {
  if (host.startsWith('[') || isUnchangedHost(host)) return undefined;
  return Array.from(host).find((character) => {
    const isOfName = /^(?!\p{Default_Ignorable_Code_Point})[\w.\p{L}\p{M}\p{N}-]/u.test(character);
    return !isOfName || character.normalize('NFKC') !== character.normalize();
  });
}
