import {
  isPlaceholder,
  withoutInvisibleEnds,
  withoutQuotes,
} from '../../api/entered/pastedText.js';
import { isUsableToken } from '../../api/secrets.js';

/** What a text holds that was read as a token. */
type TokenKind =
  | { readonly kind: 'token' | 'empty' | 'tooLong' }
  /**
   * The name of a value that was not filled in, such as `$TOKEN`. `isUsable`: it could be sent as a
   * token.
   */
  | { readonly kind: 'placeholder'; readonly isUsable: boolean }
  /** `character`: the first that cannot be part of a token. */
  | { readonly kind: 'wrongCharacter'; readonly character: string };

/** A token as the user pasted it or as the environment holds it. */
export type PastedToken = TokenKind & {
  /** The text without what is often copied with a token. */
  readonly token: string;
  /** Whether the text was more than `token`. */
  readonly isCleaned: boolean;
};

/** Servers refuse longer headers; a longer text is a file that was pasted by mistake. */
const maxTokenChars = 16_384;

/**
 * The parts of an `Authorization` header before a token, in their order: `Authorization: Bearer …`.
 */
const headerParts = [/^authorization\s*:/i, /^bearer(?=\s|$)/i];

/** Every character but those of ASCII that have a shape. */
const foreignCharacter = /[^\x21-\x7e]/u;

/**
 * The one reader of tokens, for dialogs, the environment, and the check. It takes off what is often
 * copied with a token: white space and invisible characters, the name of the header, `Bearer`, and
 * one pair of quotes.
 */
export function readToken(pasted: string): PastedToken {
  const trimmed = withoutInvisibleEnds(pasted);
  let token = withoutQuotes(pasted);
  // The quotes may also surround what follows a part of the header: `Bearer "token"`.
  let mayBeQuoted = token === trimmed;
  for (const part of headerParts) {
    const afterPart = withoutInvisibleEnds(token.replace(part, ''));
    token = mayBeQuoted ? withoutQuotes(afterPart) : afterPart;
    if (token !== afterPart) mayBeQuoted = false;
  }
  return { token, isCleaned: token !== pasted, ...kindOf(token) };
}

function kindOf(token: string): TokenKind {
  if (token === '') return { kind: 'empty' };
  if (token.length > maxTokenChars) return { kind: 'tooLong' };
  if (isPlaceholder(token)) return { kind: 'placeholder', isUsable: isUsableToken(token) };
  const character = foreignCharacter.exec(token)?.[0];
  if (character !== undefined) return { kind: 'wrongCharacter', character };
  return { kind: 'token' };
}

/** "0a1b2c3d-0000-4000-8000-00000000000f" */
const uuidForm = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/**
 * A UUID inside a longer run of such characters is a part of some other identifier, and not a
 * token.
 */
const identifierCharacter = String.raw`[\p{L}\p{N}_-]`;

const anyUuid = new RegExp(
  `(?<!${identifierCharacter})${uuidForm}(?!${identifierCharacter})`,
  'giu',
);

/** The distinct UUIDs of a text: none, `token` in lower case, or more than one. */
export type FoundInstallToken =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly token: string }
  | { readonly kind: 'several'; readonly count: number };

/** How often a text is decoded: once for each link around the link of the install. */
const maxEncodings = 3;

/**
 * Finds the install token in pasted text or a link: a UUID in any case. Percent-encoding is undone
 * first, because the `F` of `%2F` would look like a digit of the UUID.
 */
export function installTokenIn(text: string): FoundInstallToken {
  let plain = text;
  for (let round = 0; round < maxEncodings && plain.includes('%'); round++) {
    plain = decodeAscii(plain);
  }

  const uuids = Array.from(plain.matchAll(anyUuid), (match) => match[0].toLowerCase());
  const distinct = new Set(uuids);
  const token = uuids.at(0);
  if (token === undefined) return { kind: 'none' };
  if (distinct.size > 1) return { kind: 'several', count: distinct.size };
  return { kind: 'one', token };
}

/**
 * Unlike `decodeURIComponent`, leaves other characters encoded, and does not throw for what is no
 * encoding.
 */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
