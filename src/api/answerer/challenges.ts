/** What one challenge of `WWW-Authenticate` or `Proxy-Authenticate` asks for (RFC 9110, 11.6.1). */
export interface Challenge {
  /** In lower case, for example `basic`. */
  readonly scheme: string;
  /** As it came: foreign text. */
  readonly realm?: string;
}

/** A longer header is not read at all: its end would be missing, with the end of a secret in it. */
const maxHeaderChars = 8192;

/** Returns the challenges of a header in their order. Several headers of one name are joined with commas. */
export function challengesIn(header = ''): readonly Challenge[] {
  const challenges: Challenge[] = [];
  for (const item of header.length > maxHeaderChars ? [] : itemsOf(header)) {
    const [, scheme = '', rest = ''] =
      /^([\w!#$%&'*+.^`|~-]+)(?:\s+([^=\s].*))?$/s.exec(item) ?? [];
    const isChallenge =
      scheme !== '' && (rest !== '' || challenges.length === 0 || isKnown(scheme));
    if (isChallenge) challenges.push({ scheme: scheme.toLowerCase(), ...realmIn(rest) });
    else if (challenges.length > 0) challenges.push({ ...challenges.pop()!, ...realmIn(item) });
  }
  return challenges;
}

/** Splits at the commas that do not stand in quotes. */
function itemsOf(header: string): readonly string[] {
  const items = header.match(/(?:"(?:[^"\\]|\\.)*"?|[^",])+/gs) ?? [];
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Also without quotes and with spaces, as some servers write it: `realm=Restricted Area`. */
function realmIn(parameter: string): Pick<Challenge, 'realm'> {
  const [, quoted, bare] = /^realm\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|(.*))/is.exec(parameter) ?? [];
  const realm = quoted?.replace(/\\(.)/gs, '$1') ?? bare;
  return realm === undefined ? {} : { realm };
}

/** Of the IANA registry of HTTP authentication schemes, and of what is found in the field. */
const schemeNames: ReadonlyMap<string, string> = new Map(
  ['Basic', 'Bearer', 'Digest', 'Kerberos', 'Negotiate', 'NTLM', 'Token'].map((name) => [
    name.toLowerCase(),
    name,
  ]),
);

function isKnown(scheme: string): boolean {
  return schemeNames.has(scheme.toLowerCase());
}

/** Returns the known ones by their usual names, each once: no other text of the header. */
export function knownSchemes(challenges: readonly Challenge[]): readonly string[] {
  return [...new Set(challenges.flatMap(({ scheme }) => schemeNames.get(scheme) ?? []))];
}

const gatewaySchemes = new Set(['basic', 'digest', 'negotiate', 'ntlm']);

/** Returns whether none of them can be met with a token, so that a gateway may have sent them. */
export function askForNoToken(challenges: readonly Challenge[]): boolean {
  return challenges.length > 0 && challenges.every(({ scheme }) => gatewaySchemes.has(scheme));
}
