export type InstallTokenInText =
  | { readonly kind: 'one'; readonly token: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'several'; readonly count: number };

// Not inside a longer run of letters, digits, `_` and `-`: a part of some other identifier is not a token.
const uuid = /(?<![\p{L}\p{N}_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/giu;

/**
 * The install token in pasted text or a link: exactly one distinct UUID in any case, made lower case. A link inside a
 * link is percent-encoded, perhaps twice; undone first, because the `F` of `%2F` would look like a digit of the UUID.
 */
export function installTokenIn(text: string): InstallTokenInText {
  let plain = text;
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = decodeAscii(plain);
  const found = new Set(Array.from(plain.matchAll(uuid), ([match]) => match.toLowerCase()));
  const [token] = found;
  if (token === undefined) return { kind: 'none' };
  return found.size === 1 ? { kind: 'one', token } : { kind: 'several', count: found.size };
}

/** What is no valid encoding stays as it is. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
