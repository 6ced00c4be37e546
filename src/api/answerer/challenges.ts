/** One challenge of `WWW-Authenticate` or `Proxy-Authenticate` (RFC 9110, 11.6.1). */
export interface Challenge {
  /** In lower case, for example `basic`. */
  readonly scheme: string;
  /** Foreign text, not redacted, without quotes. Absent if the challenge has no realm. */
  readonly realm?: string;
}

/**
 * A longer header is ignored: if it were cut, half of a secret might stay at its end, unredacted.
 */
const maxHeaderChars = 8192;

/**
 * A scheme, perhaps with its first parameter: `Basic realm="Team"`, or `Negotiate` alone.
 * Groups: the scheme, and the parameter.
 */
const schemeWithParameter = /^([\w!#$%&'*+.^`|~-]+)(?:\s+([^=\s].*))?$/s;

/**
 * Returns the challenges of a header in their order: one for `Basic realm="a", charset="UTF-8"`,
 * two for `Negotiate, Basic`. Several headers of one name are expected to be joined with commas.
 */
export function challengesIn(header = ''): readonly Challenge[] {
  if (header.length > maxHeaderChars) return [];
  const challenges: { scheme: string; realm?: string }[] = [];
  for (const item of splitAtCommas(header)) {
    const match = schemeWithParameter.exec(item);
    const scheme = match?.[1];
    const firstParameter = match?.[2];
    // An unknown word alone behind a comma is a parameter of the challenge before it.
    const startsChallenge =
      scheme !== undefined &&
      (firstParameter !== undefined || challenges.length === 0 || isKnownScheme(scheme));
    if (startsChallenge) challenges.push({ scheme: scheme.toLowerCase() });

    const realm = realmIn(startsChallenge ? firstParameter : item);
    const challenge = challenges.at(-1);
    if (challenge !== undefined && realm !== undefined) challenge.realm = realm;
  }
  return challenges;
}

/** Splits at the commas that are not in quotes. */
function splitAtCommas(header: string): readonly string[] {
  const items = header.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/gs) ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** A realm in quotes (first group), or without quotes (second group). */
const realmParameter = /^realm\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|(.*))/is;

/**
 * Returns the realm if the parameter is one: `Team` of `realm="Team"`. Some servers write it
 * without quotes and with spaces: `realm=Restricted Area`.
 */
function realmIn(parameter = ''): string | undefined {
  const match = realmParameter.exec(parameter);
  const quoted = match?.[1];
  if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
  return match?.[2];
}

/**
 * From the IANA registry of HTTP authentication schemes, and schemes that servers use without it.
 */
const knownSchemeNames = ['Basic', 'Bearer', 'Digest', 'Kerberos', 'Negotiate', 'NTLM', 'Token'];

/** The usual spelling of each known scheme, by its name in lower case: `ntlm` → `NTLM`. */
const usualSpellings: ReadonlyMap<string, string> = new Map(
  knownSchemeNames.map((name) => [name.toLowerCase(), name]),
);

function isKnownScheme(scheme: string): boolean {
  return usualSpellings.has(scheme.toLowerCase());
}

/** Returns the known schemes in their usual spelling, each once. Unknown ones are foreign text. */
export function knownSchemes(challenges: readonly Challenge[]): readonly string[] {
  const names = new Set<string>();
  for (const { scheme } of challenges) {
    const name = usualSpellings.get(scheme);
    if (name !== undefined) names.add(name);
  }
  return [...names];
}

const schemesWithoutToken = new Set(['basic', 'digest', 'negotiate', 'ntlm']);

/**
 * Returns whether there are challenges and none of them can be met with a token. A gateway may have
 * sent these, because the platform asks for a token.
 */
export function askForNoToken(challenges: readonly Challenge[]): boolean {
  if (challenges.length === 0) return false;
  return challenges.every(({ scheme }) => schemesWithoutToken.has(scheme));
}
