// Text of the platform and of settings is shown as text. There is one function for each kind of
// surface. Each makes invisible characters visible. Those with `max` cut the text, too: `max` is in
// UTF-16 units of the text before it is escaped.

import { lazy } from './base/lazy.js';
import { visibleControls } from './invisibleCharacters.js';

/**
 * For a MarkdownString (hovers, tooltips): everything that Markdown, icons, or the detection of
 * links could take for syntax becomes a numeric reference, such as `&#42;`.
 */
export function inertMarkdown(text: string, max = 1000): string {
  return visiblePart(text, max)
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/^ | $| (?= )/g, '&#160;');
}

/**
 * For Markdown that is pasted elsewhere (the report), and for the question before a tool runs: a
 * code span, with more backticks around it than in a row inside of it.
 */
export function codeSpan(text: string, max = 1000): string {
  return inCodeSpan(visiblePart(text, max, breakIcons));
}

/**
 * For Markdown that is pasted elsewhere, a text that somebody has to type. It is cut, but otherwise
 * never changed except for invisible characters.
 */
export function typedSpan(text: string, max = 1000): string {
  return inCodeSpan(visiblePart(text, max));
}

function inCodeSpan(text: string): string {
  // Markdown has no empty code span.
  const content = text || ' ';
  const runs = Array.from(content.matchAll(/`+/g), ([run]) => run.length);
  const fence = '`'.repeat(Math.max(0, ...runs) + 1);
  // Markdown takes one space off both sides, unless there is nothing but spaces.
  const needsSpaces = /^[ `]|[ `]$/.test(content) && /[^ ]/.test(content);
  const padded = needsSpaces ? ` ${content} ` : content;
  return fence + padded + fence;
}

/**
 * No Markdown makes syntax, a link, a mention, or the number of an issue of such words:
 * "“Billing”", "it's", "sync,".
 */
const plainWord = /^["“‘'(]*\p{L}[\p{L}\p{M}’'-]{0,39}[.,:;!?…)”’'"]*$/u;

/**
 * No Markdown makes anything of such signs and numbers inside a line: "–", "&", "+2", "(404)",
 * "1,234".
 */
const plainSign = /^(?:[-–—+&/→←↔·•]|["“‘'(]*\+?\d{1,6}(?:[.,]\d{1,3}){0,2}[.,:;!?…)”’'"]*)$/u;

/** Markdown takes a line that begins with such a word for an entry of a list: "-", "1.". */
const listMark = /^(?:[-+]|\d+[.)])$/;

/** GitHub makes a link of the hash of a commit that it knows. */
const hashOfCommit = /(?<!\w)[\da-f]{7,40}(?!\w)/i;

const spaceBetweenWords = /([\s，。：；、（）「」]+)/u;

/**
 * For Markdown that is pasted elsewhere, a sentence of ours with foreign words in it: plain words
 * stay, and everything else is in code spans.
 */
export function inertProse(text: string, max = 2000): string {
  // The separators are at the odd indexes, because the expression captures them.
  const wordsAndSpaces = visiblePart(text, max).split(spaceBetweenWords);
  const inert = wordsAndSpaces.map((part, index) => {
    const isSeparator = index % 2 === 1;
    if (isSeparator || part === '' || isPlain(part, index === 0)) return part;
    return wordInCodeSpan(part);
  });
  return inert.join('');
}

/** Whether a word needs no code span. `isFirst`: the text, which is one line, begins with it. */
function isPlain(word: string, isFirst: boolean): boolean {
  if (hashOfCommit.test(word) || (isFirst && listMark.test(word))) return false;
  return plainWord.test(word) || plainSign.test(word);
}

/** A word in a code span. The punctuation of the sentence stays outside of it: "(`a_b`),". */
function wordInCodeSpan(word: string): string {
  const [, before = '', middle = '', after = ''] = /^([“(]*)(.*?)([.,:;!?…)”]*)$/u.exec(word) ?? [];
  return middle === '' ? word : before + codeSpan(middle) + after;
}

/**
 * For a name among others, in the same Markdown: plain words in the quotation marks that `quote`
 * puts around them, else one code span, so that the end of the name is seen whatever it holds.
 */
export function inertName(name: string, quote: (words: string) => string): string {
  const words = inertProse(name);
  const hasQuoteOrCode = /[`"“”„‟«»‹›「」『』]/u.test(words);
  return hasQuoteOrCode ? codeSpan(name) : quote(words);
}

/**
 * For notifications, input prompts, and validation messages, which make a link of `[x](command:…)`:
 * none can begin.
 */
export function inertNotification(text: string, max = 300): string {
  const withoutBrackets = visiblePart(text, max, breakIcons)
    .replaceAll('[', '［')
    .replaceAll(']', '］');
  return isolatedNames(withoutBrackets);
}

/** For tree labels and descriptions, quick picks, and the status bar: no icon can begin. */
export function inertLabel(text: string, max = 100): string {
  return isolated(visiblePart(text, max, breakIcons));
}

/** Letters of Hebrew, Arabic, and the other scripts that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const firstStrongIsolate = '\u2068';
const popDirectionalIsolate = '\u2069';

/**
 * Isolates what is written from right to left from the text beside it, where VS Code shows
 * several texts in one line: otherwise a label and its description would change places. Other texts
 * stay as they are. `text` is inert already, because the marks that isolate it would be made
 * visible.
 */
export function isolated(text: string): string {
  if (!rightToLeft.test(text)) return text;
  const parts = text.split(' · ').map((part) => {
    if (!rightToLeft.test(part)) return part;
    return firstStrongIsolate + part + popDirectionalIsolate;
  });
  return parts.join(' · ');
}

/** "חשבון 2": a name goes on to the next mark of punctuation, or letter of another script. */
const rightToLeftName = lazy(() => {
  const letter = rightToLeft.source;
  const inner = String.raw`[${letter}\p{M}\p{N}\u200C\u200D _'’"\-]*`;
  return new RegExp(String.raw`${letter}${inner}(?<![ '’"\-])`, 'gv');
});

/**
 * Isolates each name in a sentence that is written from right to left: otherwise
 * "שלום: חשבון failed" would be read from the account to the deployment.
 */
export function isolatedNames(sentence: string): string {
  if (!rightToLeft.test(sentence)) return sentence;
  return sentence.replace(rightToLeftName(), `${firstStrongIsolate}$&${popDirectionalIsolate}`);
}

/**
 * For words of a user, in a text that is pasted into Markdown, a chat, or a mail: a code span in
 * which programs that know no code spans find no address and no mention either.
 */
export function inertQuote(text: string, max = 200): string {
  return codeSpan(visiblePart(text, max, withoutMentions));
}

function withoutMentions(text: string): string {
  return withoutAddresses(text).replaceAll('@', '＠').replaceAll('`', "'");
}

/**
 * As `inertProse`, for a text that an editor shows first, where VS Code makes links of addresses.
 */
export function inertNote(text: string, max = 200): string {
  return inertProse(withoutAddresses(shorten(text, max)));
}

/** For the log, where VS Code makes links of addresses, too: one line. */
export function inertLogText(text: string, max = 2000): string {
  return visiblePart(text, max, withoutAddresses);
}

/** VS Code makes links of `http://`, `https://`, and `file://` in each text editor. */
function withoutAddresses(text: string): string {
  return text.replaceAll('://', ': //');
}

/** For diagnostics, plain tooltips, and screen-reader labels: one line of plain text. */
export function inertPlain(text: string, max = 500): string {
  return visiblePart(text, max);
}

/** `##[group]` and `##vso[...]` are commands of CI runners anywhere in a line. */
const commandMark = /##(?=\w*\[)/g;

/** For the log of a CI job: one line that begins no command of a runner. */
export function inertLogLine(text: string): string {
  return withoutCommandMarks(visibleControls(text)).replace(/^(\s*:)(?=:)/, '$1 ');
}

/** For Markdown of inert texts that a CI job may print: no line of it contains a command. */
export function withoutCommandMarks(text: string): string {
  return text.replace(commandMark, '# #');
}

/**
 * For the log of a CI job: JSON of plain data, in which nothing is a command of the runner. A
 * program that parses it gets the same texts, except that invisible characters of values are made
 * visible.
 */
export function inertJson(value: object): string {
  const json = JSON.stringify(
    value,
    (_, part) => (typeof part === 'string' ? visibleControls(part) : part),
    2,
  );
  return json.replace(commandMark, '#\\u0023');
}

/**
 * Only so much more than what is shown is read, because a text can be a thousand times too long.
 */
const maxCharsBeyond = 64;

/** Makes invisible characters visible, changes the text, and cuts it, in this order. */
function visiblePart(
  text: string,
  max: number,
  change = (visible: string): string => visible,
): string {
  const beginning = text.slice(0, max + maxCharsBeyond);
  const changed = change(visibleControls(beginning));
  return shorten(changed, max);
}

function breakIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/**
 * Invisible characters at a cut are taken off, too: without the characters that they join,
 * separate, or hold together, they would be made visible when the text is shown once more.
 */
const invisibleAtCut = String.raw`[\u180E\u200B-\u200D\u2060]+`;
const invisibleEnd = new RegExp(`${invisibleAtCut}$`);
const invisibleBeginning = new RegExp(`^${invisibleAtCut}`);
/**
 * No reader recognizes a character of more UTF-16 units, so it may be cut between its code points.
 */
const maxCharacterUnits = 64;

/**
 * Returns at most `max` UTF-16 units, with an ellipsis at the end if something was cut. Does not
 * cut through a character of at most `maxCharacterUnits`.
 */
export function shorten(text: string, max = 80): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const wantedEnd = max - 1;
  const beginning = text.slice(0, wantedEnd + maxCharacterUnits);
  const startOfCutCharacter = graphemes().segment(beginning).containing(wantedEnd)?.index;
  const characterEnd = startOfCutCharacter ?? wantedEnd;
  const isNear = characterEnd > wantedEnd - maxCharacterUnits;
  const kept = text.slice(0, isNear ? characterEnd : wantedEnd);
  // The first half of a surrogate pair.
  const whole = kept.replace(/[\uD800-\uDBFF]$/, '');
  return `${whole.replace(invisibleEnd, '')}…`;
}

/** A name of which less is left says nothing. */
const minNameChars = 4;

/**
 * Returns "Unreachable (TLS) · 7 failing" in at most `max` UTF-16 units. Both lists have the
 * longest first. If both texts do not fit, the verdict is a shorter one, then the name is, and then
 * the name is cut, or left out: a number that lost digits would be another number.
 */
export function nameBeside(
  verdicts: readonly string[],
  names: readonly string[],
  max: number,
): string {
  const candidates = names.flatMap((name) => verdicts.map((verdict) => `${name} · ${verdict}`));
  const fitting = candidates.find((candidate) => candidate.length <= max);
  if (fitting !== undefined) return fitting;
  const shortestVerdict = verdicts.at(-1) ?? '';
  const nameChars = max - ` · ${shortestVerdict}`.length;
  if (nameChars < minNameChars) return shortestVerdict;
  return `${shorten(names.at(-1) ?? '', nameChars)} · ${shortestVerdict}`;
}

/** Enough to find where a character begins: a row of flags is divided from its first one on. */
const maxCharsBeforeTail = 1000;

/**
 * Returns at most `max` UTF-16 units, with an ellipsis in place of the middle, because names of
 * accounts often differ at their ends: "Finance Sl…rporation".
 */
export function shortenMiddle(text: string, max = 20): string {
  if (text.length <= max) return text;
  const head = shorten(text, Math.ceil((max + 1) / 2));
  const wantedStart = text.length - Math.floor((max - 1) / 2);
  const windowStart = Math.max(0, wantedStart - maxCharsBeforeTail);
  const segments = graphemes().segment(text.slice(windowStart));
  const character = segments.containing(wantedStart - windowStart);
  const characterStart = windowStart + (character?.index ?? 0);
  const characterEnd = characterStart + (character?.segment.length ?? 0);
  const tail = text.slice(characterStart === wantedStart ? wantedStart : characterEnd);
  return head + tail.replace(invisibleBeginning, '');
}

const minShortenedChars = 12;

/**
 * For logs and results: the first 4 and last 4 characters if there are at least 12, "abcd…wxyz",
 * else none.
 */
export function shortenKeyId(keyId: string): string {
  // Counted by code point, so that no half of a character is left.
  const characters = Array.from(keyId);
  if (characters.length < minShortenedChars) return '…';
  return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
