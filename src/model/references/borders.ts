/**
 * Inside of a character class: letters, digits, marks, `_`, and `-`. An ID must not border on such
 * a character.
 */
export const tokenCharacters = '\\p{L}\\p{N}\\p{M}_-';

/**
 * Inside of a character class: letters and marks of scripts that are written without spaces. A
 * letter or digit of ASCII next to such a letter is no part of the same word. They are ranges,
 * because the ripgrep of VS Code 1.105 and JavaScript have no common notation for scripts.
 */
const unspacedLetters = [
  // Thai, Lao.
  '\u0e01-\u0e4e\u0e81-\u0ece\u0edc-\u0edf',
  // Burmese.
  '\u1000-\u103f\u1050-\u108f\u109a-\u109d\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f',
  // Khmer.
  '\u1780-\u17dd',
  // Hangul.
  '\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\uac00-\ud7fb',
  // Kana, and halfwidth forms of Hangul.
  '\uff66-\uffdc\u302a-\u3035\u303b-\u30ff\u31f0-\u31ff\u{1aff0}-\u{1b167}',
  // Han.
  '\u3005\u3006\u3400-\u9fff\uf900-\ufad9\u{20000}-\u{33479}',
].join('');

const asciiWordClass = '[A-Za-z0-9]';
const asciiWordCharacter = new RegExp(asciiWordClass);

/** What an escape has after its backslash: `n`, `x0a`, `u000a`, `U0000000a`, `033`. */
const escaped = '[A-TV-Za-tvwyz]|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|0[0-7]{0,2}';
/** An escape: `\n`. Of the backslashes before it, an even number stands for backslashes. */
const escapeCode = String.raw`(?<!\\)(?:\\\\)*\\(?:${escaped})`;
/** A percent-encoded character, also one that is encoded several times: `%2F`, `%252F`. */
const percentCode = String.raw`%(?:25){0,3}[0-9A-Fa-f]{2}`;
/**
 * The beginning of a terminal's code: its escape character, or what editors and source code write
 * in its place.
 */
const terminalEscape = String.raw`(?:\x1b|␛|\^\[|\\(?:[eE]|x1[bB]|u001[bB]|033))\[`;
/** A color code of a terminal: `[31m` with or without its escape character, and `␛[m`. */
const colorCode = String.raw`(?:\[[0-9;:]+|${terminalEscape})[mK]`;

/** What ends in a letter or digit that is no part of the text after it. */
const codes = [escapeCode, percentCode, colorCode].join('|');

/** The characters of a code before its last letters and digits. */
const beforeCodeEnd = '\\%[;:';

/** A code has at most so many letters and digits after the last of its other characters. */
const maxCodeEndChars = 10;

/**
 * Languages in which `_` around a text emphasizes it: plain text, and what is written in Markdown.
 */
const emphasisLanguages: ReadonlySet<string> = new Set([
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
/** `_a_`, `__a__`, and `___a___`. */
const maxEmphasis = 3;

const beginsWithToken = new RegExp(`[${tokenCharacters}]`, 'uy');
const afterToken = new RegExp(`(?<=[${tokenCharacters}])`, 'uy');
const afterCode = new RegExp(`(?<=${codes})`, 'uy');
const unspacedLetter = new RegExp(`[${unspacedLetters}]`, 'u');
/** Between a letter or digit of ASCII and a letter of an unspaced script, in any order. */
const betweenScripts = [
  `(?<=${asciiWordClass})(?=[${unspacedLetters}])`,
  `(?<=[${unspacedLetters}])(?=${asciiWordClass})`,
].join('|');
const scriptChange = new RegExp(betweenScripts, 'u');
const scriptChangeHere = new RegExp(betweenScripts, 'uy');

/** Whether a text holds a letter of a script that is written without spaces. */
export function hasUnspacedLetters(text: string): boolean {
  return unspacedLetter.test(text);
}

/** Whether there is a token character at this index. */
export function isTokenAt(text: string, at: number): boolean {
  return matchesAt(beginsWithToken, text, at);
}

/** Whether there is a token character before this index. */
export function isAfterToken(text: string, at: number): boolean {
  return matchesAt(afterToken, text, at);
}

/**
 * Whether an ID that ends with a segment, at its end `at`, does not border on a token character
 * after it.
 */
export function endsAtBorder(text: string, at: number): boolean {
  // A segment ends before a token character only where the script changes.
  return !isTokenAt(text, at) || asciiWordCharacter.test(text.charAt(at - 1));
}

/**
 * Returns the parts of a run of token characters between which the script changes: "dep", "日本" for
 * "dep日本".
 */
export function partsOf(run: string): readonly string[] {
  return hasUnspacedLetters(run) ? run.split(scriptChange) : [run];
}

/** A part of a text, from the index `start` to the index `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The index inside of a run of token characters at which an ID can begin. */
export interface InnerStart {
  readonly start: number;
  /** How many `_` before the ID emphasize it. As many must follow it. 0 after a code. */
  readonly emphasis: number;
}

/**
 * Returns where an ID can begin after the first character of a run of token characters: after a
 * code, or after `_`. The end of the run can be among them, for an ID that begins with another
 * character.
 */
export function innerStarts(text: string, run: Span, languageId: string): readonly InnerStart[] {
  const starts: InnerStart[] = [];
  // Most runs follow a character that no code has.
  if (beforeCodeEnd.includes(text.charAt(run.start - 1))) {
    const last = Math.min(run.end, run.start + maxCodeEndChars);
    for (let start = run.start + 1; start <= last; start++) {
      if (matchesAt(afterCode, text, start)) starts.push({ start, emphasis: 0 });
    }
  }
  if (!emphasisLanguages.has(languageId)) return starts;
  for (let emphasis = 1; emphasis <= maxEmphasis; emphasis++) {
    const start = run.start + emphasis;
    if (text[start - 1] !== '_') break;
    starts.push({ start, emphasis });
  }
  return starts;
}

/**
 * Returns where in a run of token characters the core of an ID can be. Returns none if only the
 * whole run can be a core, as in most texts. `canChangeScript`: whether the text has letters of
 * unspaced scripts.
 */
export function innerSpans(
  text: string,
  run: Span,
  languageId: string,
  canChangeScript: boolean,
): readonly Span[] {
  const starts = innerStarts(text, run, languageId);
  const endsInMark = text[run.end - 1] === '_' && emphasisLanguages.has(languageId);
  const isOnlyWhole = starts.length === 0 && !endsInMark;
  if (isOnlyWhole && !canChangeScript) return [];
  const whole = text.slice(run.start, run.end);
  const parts = canChangeScript ? partsOf(whole) : [whole];
  if (isOnlyWhole && parts.length < 2) return [];

  const spans: Span[] = [];
  let start = run.start;
  for (const part of parts) {
    const end = start + part.length;
    spans.push({ start, end });
    for (const inner of starts) {
      if (inner.start > start && inner.start < end) spans.push({ start: inner.start, end });
    }
    start = end;
  }
  if (!endsInMark) return spans;

  const lastSpans = spans.filter((span) => span.end === run.end);
  return [...spans, ...lastSpans.flatMap(withoutFinalMarks)];
}

/** The span without one, two, and three characters at its end, which may be marks of emphasis. */
function withoutFinalMarks({ start, end }: Span): readonly Span[] {
  const shortened: Span[] = [];
  for (let marks = 1; marks <= maxEmphasis; marks++) {
    if (start < end - marks) shortened.push({ start, end: end - marks });
  }
  return shortened;
}

/**
 * Whether an ID in this span is a reference: it borders on no token character, or only on what is
 * no part of the same word.
 */
export function standsAlone(text: string, span: Span, languageId: string): boolean {
  if (hasBorderBefore(text, span) && hasBorderAfter(text, span)) return true;
  if (!emphasisLanguages.has(languageId)) return false;
  for (let marks = 1; marks <= maxEmphasis; marks++) {
    if (isEmphasized(text, span, marks)) return true;
  }
  return false;
}

/**
 * Whether an ID can begin here: at the beginning, after a character that no token has, after a code
 * (an escape, a percent-encoded character, a terminal's code), and with an ASCII letter or digit
 * after a letter of an unspaced script ("部署dep_1").
 */
function hasBorderBefore(text: string, { start }: Span): boolean {
  if (!isAfterToken(text, start) || matchesAt(afterCode, text, start)) return true;
  return asciiWordCharacter.test(text.charAt(start)) && matchesAt(scriptChangeHere, text, start);
}

/**
 * Whether an ID can end here: before a character that no token has, and with an ASCII letter or
 * digit before a letter of an unspaced script ("dep_1的部署").
 */
function hasBorderAfter(text: string, { end }: Span): boolean {
  if (!isTokenAt(text, end)) return true;
  return asciiWordCharacter.test(text.charAt(end - 1)) && matchesAt(scriptChangeHere, text, end);
}

/** Whether so many `_` surround the span, and no token characters surround them. */
function isEmphasized(text: string, { start, end }: Span, marks: number): boolean {
  const markRun = '_'.repeat(marks);
  const isMarkedBefore = start >= marks && text.startsWith(markRun, start - marks);
  const isMarkedAfter = text.startsWith(markRun, end);
  if (!isMarkedBefore || !isMarkedAfter) return false;
  return !isAfterToken(text, start - marks) && !isTokenAt(text, end + marks);
}

/** Whether a sticky expression matches at this index. */
function matchesAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at;
  return sticky.test(text);
}

/**
 * Returns a regular expression, for JavaScript and ripgrep, that finds an ID where it is a
 * reference. The expression does not know the language of a file, so `_` may surround the ID in any
 * file. A match begins with the code before the ID, because ripgrep cannot look back over a code of
 * any length.
 */
export function searchPattern(id: string): string {
  const text = id.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const token = `[${tokenCharacters}]`;
  const noTokenBefore = `(?<!${token})`;
  const noTokenAfter = `(?!${token})`;

  const before = [noTokenBefore, codes];
  const after = [noTokenAfter];
  if (/^[A-Za-z0-9]/.test(id)) before.push(`(?<=[${unspacedLetters}])`);
  if (/[A-Za-z0-9]$/.test(id)) after.push(`(?=[${unspacedLetters}])`);
  const plain = `(?:${before.join('|')})${text}(?:${after.join('|')})`;

  // `\1` are the marks before the ID.
  const emphasized = `${noTokenBefore}(_{1,3})${text}(?=\\1${noTokenAfter})`;
  return `${plain}|${emphasized}`;
}
