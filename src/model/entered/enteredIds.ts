import { decoded } from '../../api/entered/baseUrl.js';

/** Longer than any id, and still shown whole where it has to be confirmed. */
export const maxIdChars = 1000;

/** Why a trimmed text can't be an id. A token pasted by mistake must not get into an address or a settings file. */
export function idProblem(text: string, holdsToken: (text: string) => boolean) {
  if (text === '') return 'empty';
  if (holdsToken(text)) return 'token';
  if (text.length > maxIdChars) return 'tooLong';
  // What `pathSegment` refuses.
  if (text === '.' || text === '..') return 'dotSegment';
  return /[\p{Cc}\p{Surrogate}]/u.test(text) ? 'invalidCharacter' : undefined;
}

/** Spaces and commas separate ids, each of which counts once. What is in quotes is one id; a quote inside them is doubled. */
export function enteredIds(text: string) {
  const found = new Map<string, { readonly id: string; readonly fromUrl: boolean }>();
  for (const [word, quoted] of text.matchAll(/"((?:[^"]|"")*)"|[^\s,]+/g)) {
    const url = quoted === undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(word) && URL.canParse(word);
    const segments = url ? new URL(word).pathname.split('/') : [];
    const id = url
      ? decoded(segments.findLast((part) => part !== '') ?? '')
      : (quoted?.replaceAll('""', '"') ?? word).trim();
    if (!found.has(id)) found.set(id, { id, fromUrl: url });
  }
  return [...found.values()];
}

export function asEnteredId(id: string): string {
  const [read, another] = enteredIds(id);
  return read?.id === id && !another ? id : `"${id.replaceAll('"', '""')}"`;
}
