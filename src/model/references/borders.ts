/** As the inside of a character class. An id must not border on such a character. */
export const tokenCharacters = '\\p{L}\\p{N}\\p{M}_-';

/**
 * As the inside of a character class: letters and marks of Thai, Lao, Burmese, Khmer, Hangul, Kana
 * and Han. A letter or digit of ASCII that stands beside one is no part of the same word. They are
 * ranges, because the ripgrep of VS Code 1.105 and JavaScript have no common notation for scripts.
 */
const unspacedLetters =
  '\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f' +
  '\u1780-\u17dd\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb\uff66-\uffdc\u302a-\u3035\u303b-\u30ff\u31f0-\u31ff' +
  '\u{1aff0}-\u{1b167}\u3005\u3006\u3400-\u9fff\uf900-\ufad9\u{20000}-\u{33479}';

const asciiWord = '[A-Za-z0-9]';

/**
 * What ends in a letter or digit that is no part of the text behind it: an escape (`\n`, `\x0a`,
 * `\u000a`, `\033`), a percent-encoded character (also one encoded again, `%252F`), and a color code
 * of a terminal, with its escape character, with that written as an escape, or without it.
 */
const codes = [
  String.raw`(?<!\\)(?:\\\\)*\\(?:[A-TV-Za-tvwyz]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|0[0-7]{0,2})`,
  String.raw`%(?:25){0,3}[0-9A-Fa-f]{2}`,
  String.raw`(?:\[[0-9;:]+|(?:\x1b|␛|\^\[|\\(?:[eE]|x1[bB]|u001[bB]|033))\[)[mK]`,
].join('|');

/** What stands in a code before its last letters and digits. */
const beforeCodeEnd = '\\%[;:';

/** Of the letters and digits of a code the most that stand behind its last other character. */
const maxCodeEnd = 10;

/** Languages in which `_` around a text emphasizes it: plain text, and what is written in Markdown. */
const emphasisLanguages = new Set([
  'plaintext',
  'markdown',
  'mdx',
  'quarto',
  'rmd',
  'git-commit',
  'prompt',
  'instructions',
  'chatagent',
  'skill',
]);

const beginsWithToken = new RegExp(`[${tokenCharacters}]`, 'uy');
const behindToken = new RegExp(`(?<=[${tokenCharacters}])`, 'uy');
const isBehindCode = new RegExp(`(?<=${codes})`, 'uy');
const isUnspaced = new RegExp(`[${unspacedLetters}]`, 'u');
const scriptChangeSource = `(?<=${asciiWord})(?=[${unspacedLetters}])|(?<=[${unspacedLetters}])(?=${asciiWord})`;
const scriptChange = new RegExp(scriptChangeSource, 'u');
const isScriptChange = new RegExp(scriptChangeSource, 'uy');

export function hasUnspacedLetters(text: string): boolean {
  return isUnspaced.test(text);
}

export function isTokenAt(text: string, at: number): boolean {
  return matchesAt(beginsWithToken, text, at);
}

export function isBehindToken(text: string, at: number): boolean {
  return matchesAt(behindToken, text, at);
}

/** Whether an id that ends there does not border on what follows, where a segment ends. */
export function isEnd(text: string, at: number): boolean {
  // A segment ends before a token character only where the script changes.
  return !isTokenAt(text, at) || /[A-Za-z0-9]/.test(text.charAt(at - 1));
}

/** The parts of a run of token characters between which the script changes. */
export function partsOf(run: string): readonly string[] {
  return isUnspaced.test(run) ? run.split(scriptChange) : [run];
}

/** Where in a run of token characters an id can begin without beginning with the run. */
export interface InnerStart {
  readonly start: number;
  /** How many `_` stand before it, and therefore behind the id, too. */
  readonly emphasis: number;
}

/** Also where the run ends, for an id that begins with another character. */
export function innerStarts(
  text: string,
  from: number,
  to: number,
  languageId: string,
): readonly InnerStart[] {
  const starts: InnerStart[] = [];
  // Most runs stand behind a character that is in no code.
  if (beforeCodeEnd.includes(text.charAt(from - 1))) {
    for (let start = from + 1; start <= Math.min(to, from + maxCodeEnd); start++) {
      if (matchesAt(isBehindCode, text, start)) starts.push({ start, emphasis: 0 });
    }
  }
  if (text[from] !== '_' || !emphasisLanguages.has(languageId)) return starts;
  for (let emphasis = 1; emphasis <= 3 && text[from + emphasis - 1] === '_'; emphasis++) {
    starts.push({ start: from + emphasis, emphasis });
  }
  return starts;
}

/** A part of a text, from `start` to `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Where the core of an id can stand in a run of token characters. None, if only the whole run can be
 * a core, as in most texts.
 */
export function innerSpans(
  text: string,
  run: Span,
  languageId: string,
  canChangeScript: boolean,
): readonly Span[] {
  const starts = innerStarts(text, run.start, run.end, languageId);
  const endsInMark = text[run.end - 1] === '_' && emphasisLanguages.has(languageId);
  const parts = canChangeScript ? partsOf(text.slice(run.start, run.end)) : [];
  if (starts.length === 0 && !endsInMark && parts.length < 2) return [];
  const spans: Span[] = [];
  let start = run.start;
  for (const part of parts.length > 0 ? parts : [text.slice(run.start, run.end)]) {
    const end = start + part.length;
    spans.push({ start, end });
    for (const inner of starts)
      if (inner.start > start && inner.start < end) spans.push({ start: inner.start, end });
    start = end;
  }
  if (!endsInMark) return spans;
  const last = spans.filter(({ end }) => end === run.end);
  const shortened = last.flatMap((span) =>
    [1, 2, 3].map((marks) => ({ start: span.start, end: span.end - marks })),
  );
  return [...spans, ...shortened.filter((span) => span.start < span.end)];
}

/** Whether an id that stands there borders on nothing. */
export function standsAlone(text: string, { start, end }: Span, languageId: string): boolean {
  const isAscii = (at: number) => /[A-Za-z0-9]/.test(text.charAt(at));
  const begins =
    !isBehindToken(text, start) ||
    matchesAt(isBehindCode, text, start) ||
    (isAscii(start) && matchesAt(isScriptChange, text, start));
  const ends = !isTokenAt(text, end) || (isAscii(end - 1) && matchesAt(isScriptChange, text, end));
  if (begins && ends) return true;
  return (
    emphasisLanguages.has(languageId) &&
    [1, 2, 3].some((marks) => isEmphasized(text, { start, end }, marks))
  );
}

function isEmphasized(text: string, { start, end }: Span, marks: number): boolean {
  const run = '_'.repeat(marks);
  const hasMarks =
    text.startsWith(run, end) && start >= marks && text.startsWith(run, start - marks);
  return hasMarks && !isBehindToken(text, start - marks) && !isTokenAt(text, end + marks);
}

/** Sets where the expression begins, as it is shared. */
function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

/**
 * A regular expression, for JavaScript and ripgrep, that finds an id where it is a reference. The
 * language of a file is not known to it, so `_` may stand around the id in each. A match begins with
 * the code before the id, because ripgrep cannot look back over a code of any length.
 */
export function searchPattern(id: string): string {
  const text = id.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const token = `[${tokenCharacters}]`;
  const before = [`(?<!${token})`, codes];
  const behind = [`(?!${token})`];
  if (/^[A-Za-z0-9]/.test(id)) before.push(`(?<=[${unspacedLetters}])`);
  if (/[A-Za-z0-9]$/.test(id)) behind.push(`(?=[${unspacedLetters}])`);
  const plain = `(?:${before.join('|')})${text}(?:${behind.join('|')})`;
  return `${plain}|(?<!${token})(_{1,3})${text}(?=\\1(?!${token}))`;
}
