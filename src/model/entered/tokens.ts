import {
  isPlaceholder,
  withoutInvisibleEnds,
  withoutQuotes,
} from '../../api/entered/pastedText.js';
import { isUsableToken } from '../../api/secrets.js';

/** What a person pasted or the environment holds as a token. */
export type PastedToken = {
  /** What is left without what is often copied with a token. */
  readonly token: string;
  /** Whether something was taken off. */
  readonly cleaned: boolean;
} & (
  | { readonly kind: 'token' | 'empty' | 'tooLong' }
  /** `isUsable`: it could be sent as a token. */
  | { readonly kind: 'placeholder'; readonly isUsable: boolean }
  /** `character`: the first that cannot stand in a token. */
  | { readonly kind: 'wrongCharacter'; readonly character: string }
);

/** Servers refuse longer headers; a longer text is a file that was pasted by mistake. */
const maxTokenChars = 16_384;

/** The parts of an `Authorization` header before a token. */
const headerParts = [/^authorization\s*:/i, /^bearer(?=\s|$)/i];

/**
 * The one reader of tokens, for dialogs, the environment, and the check. It takes off what is often copied with a
 * token: white space and invisible characters, the name of the header, `Bearer`, and one pair of quotes.
 */
export function readToken(pasted: string): PastedToken {
  let token = withoutQuotes(pasted);
  // The quotes may also stand around what follows a part of the header: `Bearer "token"`.
  let mayBeQuoted = token === withoutInvisibleEnds(pasted);
  for (const part of headerParts) {
    const rest = withoutInvisibleEnds(token.replace(part, ''));
    token = mayBeQuoted ? withoutQuotes(rest) : rest;
    mayBeQuoted &&= token === rest;
  }
  return { token, cleaned: token !== pasted, ...judgement(token) };
}

function judgement(token: string) {
  if (token === '') return { kind: 'empty' } as const;
  if (token.length > maxTokenChars) return { kind: 'tooLong' } as const;
  if (isPlaceholder(token)) return { kind: 'placeholder', isUsable: isUsableToken(token) } as const;
  const [character] = /[^\x21-\x7e]/u.exec(token) ?? [];
  return character === undefined
    ? ({ kind: 'token' } as const)
    : ({ kind: 'wrongCharacter', character } as const);
}

// Not inside a longer run of letters, digits, `_` and `-`: a part of some other identifier is not a token.
const uuid =
  /(?<![\p{L}\p{N}_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/giu;

/**
 * The install token in pasted text or a link: exactly one distinct UUID in any case, made lower case. A link inside a link is
 * percent-encoded, perhaps twice. This is undone first, because the `F` of `%2F` would look like a digit of the UUID.
 */
export function installTokenIn(text: string) {
  let plain = text;
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = decodeAscii(plain);
  const found = new Set(Array.from(plain.matchAll(uuid), ([match]) => match.toLowerCase()));
  const [token] = found;
  if (token === undefined) return { kind: 'none' } as const;
  return found.size === 1
    ? ({ kind: 'one', token } as const)
    : ({ kind: 'several', count: found.size } as const);
}

function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
