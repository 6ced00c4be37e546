import type { Span } from './borders.js';

/** "https://" */
const scheme = /[a-z][a-z\d+.-]{0,30}:\/\//gi;
const quotes = '\'"`';
const openingBrackets = '([{';
/** By closing bracket. */
const openingBracketOf: ReadonlyMap<string, string> = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);
/** Characters that end a URL, most of them punctuation and brackets of Chinese and Japanese. */
const terminators = [
  '\t<>|',
  '\u3001\u3002\uff61\uff64\uff0c\uff0e\uff1a\uff1b',
  '\u2018\u3008\u300c\u300e\u3014\uff08\uff3b\uff5b\uff62',
  '\uff63\uff5d\uff3d\uff09\u3015\u300f\u300d\u3009\u2019',
  '\uff40\uff5e\u2026',
].join('');

/**
 * Returns the URLs in a line of a terminal. They end where VS Code ends the links that it makes of
 * them, which open when they are clicked. VS Code opens only `http`, `https`, and `file`, but URLs
 * of other schemes are returned, too.
 */
export function urlsIn(line: string): readonly Span[] {
  const urls: Span[] = [];
  for (const { 0: beginning, index: start } of line.matchAll(scheme)) {
    const endOfLast = urls.at(-1)?.end ?? 0;
    if (start < endOfLast) continue;
    const endOfScheme = start + beginning.length;
    const end = endOfUrl(line, start, endOfScheme);
    if (end > endOfScheme) urls.push({ start, end: withoutPunctuation(line, { start, end }) });
  }
  return urls;
}

/**
 * Returns the index after the URL that begins at `start`. Punctuation of the sentence around it may
 * still be at its end.
 */
function endOfUrl(line: string, start: number, endOfScheme: number): number {
  const before = line.charAt(start - 1);
  const opened = new Set<string>();
  let isInBrackets = false;
  for (let at = endOfScheme; at < line.length; at++) {
    const char = line.charAt(at);
    if (openingBrackets.includes(char)) opened.add(char);
    // VS Code takes no space for the end of a URL between brackets after its first character.
    if (at > endOfScheme && '[]'.includes(char)) isInBrackets = char === '[';

    const opening = openingBracketOf.get(char);
    const closesOutside = opening !== undefined && !opened.has(opening);
    const closesEmphasis = char === '*' && before === '*';
    const isSpace = char === ' ' && !isInBrackets;
    if (closesOutside || closesEmphasis || isSpace) return at;
    if (terminators.includes(char) || endsAtQuote(char, before)) return at;
  }
  return line.length;
}

/**
 * Whether a quote ends a URL. A URL in one kind of quotes can hold the others. `before`: the
 * character before the URL.
 */
function endsAtQuote(char: string, before: string): boolean {
  if (!quotes.includes(char)) return false;
  const isInOtherQuotes = before !== '' && quotes.includes(before) && before !== char;
  return !isInOtherQuotes;
}

/**
 * Returns the end of a URL without the punctuation, and the closing bracket, of the sentence around
 * it.
 */
function withoutPunctuation(line: string, { start, end }: Span): number {
  let last = end - 1;
  while (last > start && '.,;:'.includes(line.charAt(last))) last -= 1;
  const opening = openingBracketOf.get(line.charAt(last));
  const isBracketed = opening !== undefined && opening === line[start - 1];
  return isBracketed ? last : last + 1;
}
