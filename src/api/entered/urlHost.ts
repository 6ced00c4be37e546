import { domainToUnicode } from 'node:url';

/**
 * Returns whether `URL` reads the host as it is written, except for case and the notation of IPv6.
 * For example, `URL` reads `127.1` as 127.0.0.1, `%61` as `a`, and full-width letters as ASCII, and
 * drops soft hyphens. Returns `false` also for a host with an empty label ("host..example"): DNS
 * has no such name (RFC 1035, 3.1), and `URL` reads "1..", once its last dot is removed, as
 * 0.0.0.1.
 */
export function isUnchangedHost(host: string): boolean {
  const url = `http://${host}`;
  if (!URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  const isIPv6 = hostname.startsWith('[');
  if (isIPv6) return host.startsWith('[') && host.endsWith(']');
  const hasPlainLabels = /^[\w-]+(?:\.[\w-]+)*\.?$/.test(hostname);
  const written = host.normalize().toLowerCase();
  const isSame = written === hostname || written === domainToUnicode(hostname);
  return hasPlainLabels && isSame;
}

/**
 * Returns the first character that no host may have, or that `URL` replaces. Returns `undefined` if
 * `URL` reads the host as it is written, and if no single character is wrong, as in `127.1`.
 */
export function foreignInHost(host: string): string | undefined {
  if (host.startsWith('[') || isUnchangedHost(host)) return undefined;
  return Array.from(host).find((character) => !isHostCharacter(character));
}

function isHostCharacter(character: string): boolean {
  const isOfName = /^(?!\p{Default_Ignorable_Code_Point})[\w.\p{L}\p{M}\p{N}-]/u.test(character);
  const isReplaced = character.normalize('NFKC') !== character.normalize();
  return isOfName && !isReplaced;
}
