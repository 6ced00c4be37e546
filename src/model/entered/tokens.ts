import { isUsableToken } from '../../api/secrets.js';

type PastedToken =
  | { readonly kind: 'token'; readonly token: string; readonly cleaned: boolean }
  | { readonly kind: 'empty' | 'gaps' | 'illegal' | 'tooLong' };

/** Servers refuse longer headers; a longer text is a file that was pasted by mistake. */
const maxTokenChars = 16_384;

/** Takes off what is often copied with a token: a line break, `Bearer`, the name of the header. The rest must fit a header as it is. */
export function readToken(pasted: string): PastedToken {
  const token = pasted
    .trim()
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^bearer(\s+|$)/i, '')
    .trim();
  if (token === '') return { kind: 'empty' };
  if (token.length > maxTokenChars) return { kind: 'tooLong' };
  if (/\s/u.test(token)) return { kind: 'gaps' };
  if (!isUsableToken(token)) return { kind: 'illegal' };
  return { kind: 'token', token, cleaned: token !== pasted };
}

// Not inside a longer run of letters, digits, `_` and `-`: a part of some other identifier is not a token.
const uuid = /(?<![\p{L}\p{N}_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/giu;

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
  return found.size === 1 ? ({ kind: 'one', token } as const) : ({ kind: 'several', count: found.size } as const);
}

function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
