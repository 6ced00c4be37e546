interface Part {
  readonly start: number;
  readonly end: number;
}

const scheme = /[a-z][a-z\d+.-]{0,30}:\/\//gi;
const quotes = '\'"`';
const terminators =
  '\t<>\u3001\u3002\uff61\uff64\uff0c\uff0e\uff1a\uff1b\u2018\u3008\u300c\u300e\u3014\uff08\uff3b\uff5b\uff62\uff63\uff5d\uff3d\uff09\u3015\u300f\u300d\u3009\u2019\uff40\uff5e\u2026|';
const openings = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
]);

/**
 * The URLs in a line of a terminal. They end where VS Code ends the links that it makes of them,
 * which open when they are clicked. URLs of other schemes than `http`, `https` and `file` are among
 * them, though VS Code opens none.
 */
export function urlsIn(line: string): readonly Part[] {
  const urls: Part[] = [];
  for (const { 0: beginning, index: start } of line.matchAll(scheme)) {
    if (start < (urls.at(-1)?.end ?? 0)) continue;
    const from = start + beginning.length;
    const end = endOf(line, start, from);
    if (end > from) urls.push({ start, end: withoutPunctuation(line, start, end) });
  }
  return urls;
}

function endOf(line: string, start: number, from: number): number {
  const before = line.charAt(start - 1);
  const opened = new Set<string>();
  let isInBrackets = false;
  for (let at = from; at < line.length; at++) {
    const char = line.charAt(at);
    const opening = openings.get(char);
    if ('([{'.includes(char)) opened.add(char);
    if (at > from && '[]'.includes(char)) isInBrackets = char === '[';
    if (opening !== undefined && !opened.has(opening)) return at;
    if (terminators.includes(char) || (char === '*' && before === '*')) return at;
    if (char === ' ' && !isInBrackets) return at;
    // What stands in one kind of quotes may have the others in it.
    if (quotes.includes(char) && (before === char || before === '' || !quotes.includes(before)))
      return at;
  }
  return line.length;
}

/** Without what belongs to the sentence around the URL. */
function withoutPunctuation(line: string, start: number, end: number): number {
  let last = end - 1;
  while (last > start && '.,;:'.includes(line.charAt(last))) last--;
  const opening = openings.get(line.charAt(last));
  return opening !== undefined && opening === line[start - 1] ? last : last + 1;
}
