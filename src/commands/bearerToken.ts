import { isUsableToken } from '../api/token.js';

/** A pasted token, cleaned; or why it can't be sent as one. */
export type PastedToken =
  | { readonly kind: 'token'; readonly token: string; readonly cleaned: boolean }
  | { readonly kind: 'empty' | 'gaps' | 'illegal' | 'tooLong' };

/** No server takes a longer header; what is longer is a file that was pasted by mistake. */
const longest = 16_384;

/**
 * People paste what they have: with a line break at the end, as `Bearer …`, or as the whole header. All of that is taken off;
 * what is left has to be fit for a header as it is, since nobody can guess what else does not belong to it.
 */
export function readToken(pasted: string): PastedToken {
  const token = pasted
    .trim()
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^bearer(\s+|$)/i, '')
    .trim();
  if (token === '') return { kind: 'empty' };
  if (token.length > longest) return { kind: 'tooLong' };
  if (/\s/u.test(token)) return { kind: 'gaps' };
  if (!isUsableToken(token)) return { kind: 'illegal' };
  return { kind: 'token', token, cleaned: token !== pasted };
}
