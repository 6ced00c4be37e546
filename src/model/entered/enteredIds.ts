import { percentDecoded } from '../../api/entered/baseUrl.js';

/** Longer than any ID, and still shown whole where the user has to confirm the ID. */
export const maxIdChars = 1000;

/** Why a text can't be an ID. `dotSegment`: `.` or `..`, which a path in a URL would resolve. */
export type IdProblem = 'empty' | 'token' | 'tooLong' | 'dotSegment' | 'invalidCharacter';

/**
 * Returns why a trimmed text can't be an ID, the first reason that applies; `undefined` if it can.
 * A token pasted by mistake must not get into an address or a settings file, so `holdsToken`
 * decides before its form does.
 */
export function idProblem(
  text: string,
  holdsToken: (text: string) => boolean,
): IdProblem | undefined {
  if (text === '') return 'empty';
  if (holdsToken(text)) return 'token';
  if (text.length > maxIdChars) return 'tooLong';
  // `pathSegment` refuses both.
  if (text === '.' || text === '..') return 'dotSegment';
  return /[\p{Cc}\p{Surrogate}]/u.test(text) ? 'invalidCharacter' : undefined;
}

export interface EnteredId {
  readonly id: string;
  /** The ID is the last segment of the path of a URL. */
  readonly isFromUrl: boolean;
}

/**
 * A text in quotes, in which a quote is doubled, or else a word: `"my ""best"" flow"` and `dep_1`.
 */
const quotedOrWord = /"((?:[^"]|"")*)"|[^\s,]+/g;

/**
 * Reads IDs as a user enters them: separated by spaces or commas, or in quotes if they hold any of
 * these. Each ID is returned once. Of a URL, the last segment of its path is the ID, or `''`
 * without one.
 */
export function enteredIds(text: string): readonly EnteredId[] {
  const found = new Map<string, EnteredId>();
  for (const [word, quoted] of text.matchAll(quotedOrWord)) {
    const entered = quoted === undefined ? idInWord(word) : idInQuotes(quoted);
    if (!found.has(entered.id)) found.set(entered.id, entered);
  }
  return [...found.values()];
}

function idInQuotes(quoted: string): EnteredId {
  return { id: quoted.replaceAll('""', '"').trim(), isFromUrl: false };
}

function idInWord(word: string): EnteredId {
  const isUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(word) && URL.canParse(word);
  if (!isUrl) return { id: word.trim(), isFromUrl: false };
  const segments = new URL(word).pathname.split('/');
  const lastSegment = segments.findLast((segment) => segment !== '') ?? '';
  return { id: percentDecoded(lastSegment), isFromUrl: true };
}

/** Returns the text that `enteredIds` reads as this one ID: the ID itself, or the ID in quotes. */
export function asEnteredId(id: string): string {
  const entered = enteredIds(id);
  if (entered.length === 1 && entered[0]?.id === id) return id;
  return `"${id.replaceAll('"', '""')}"`;
}
