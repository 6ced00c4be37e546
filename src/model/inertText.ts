// Text of the platform and of settings is shown as text. There is one function for each kind of surface. Each makes
// invisible characters visible first and then cuts, and none throws, whatever comes.

import { lazy } from './base/lazy.js';
import { visibleControls } from './invisibleCharacters.js';

/** For a MarkdownString (hovers, tooltips): all that Markdown, icons or the detection of links could take for syntax becomes a numeric reference. */
export function inertMarkdown(text: string, max = 1000): string {
  return shown(text, max)
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/^ | $| (?= )/g, '&#160;');
}

/** For Markdown that is pasted elsewhere (the report): a code span, longer in backticks than what it holds. */
export function codeSpan(text: string, max = 1000): string {
  return spanOf(shown(text, max, breakIcons));
}

/** The same for what someone has to type, which is never changed but for invisible characters. */
export function typedSpan(text: string, max = 1000): string {
  return spanOf(shown(text, max));
}

function spanOf(text: string): string {
  const content = text || ' ';
  const longest = Math.max(0, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown takes one space off both sides, unless there is nothing but spaces.
  const padded = /^[ `]|[ `]$/.test(content) && /[^ ]/.test(content) ? ` ${content} ` : content;
  return fence + padded + fence;
}

/** No syntax of any Markdown, no link, no mention and no number of an issue can be made of such words. */
const plainWord = /^["“‘'(]*\p{L}[\p{L}\p{M}’'-]{0,39}[.,:;!?…)”’'"]*$/u;

/** "–", "&", "+2", "(404)", "1,234": so are signs and numbers, wherever a line does not begin with them. */
const plainSign = /^(?:[-–—+&/→←↔·•]|["“‘'(]*\+?\d{1,6}(?:[.,]\d{1,3}){0,2}[.,:;!?…)”’'"]*)$/u;

/** In a line that begins so, Markdown takes it for the entry of a list. */
const listMark = /^(?:[-+]|\d+[.)])$/;

/** Where GitHub knows such a commit, it makes a link of its hash. */
const hashOfCommit = /(?<!\w)[\da-f]{7,40}(?!\w)/i;

/** A sentence of ours with foreign words in it, for the same: plain words stay, and everything else is in code spans. */
export function inertProse(text: string, max = 2000): string {
  return shown(text, max)
    .split(/([\s，。：；、（）「」]+)/u)
    .map((word, at) =>
      at % 2 === 1 || word === '' || isPlain(word, at === 0) ? word : marked(word),
    )
    .join('');
}

function isPlain(word: string, isFirst: boolean): boolean {
  if (hashOfCommit.test(word) || (isFirst && listMark.test(word))) return false;
  return plainWord.test(word) || plainSign.test(word);
}

/**
 * For a name among others, in the same: plain words in the quotation marks of `quote`, else one code span, so that
 * its end is seen whatever it holds.
 */
export function inertName(name: string, quote: (words: string) => string): string {
  const words = inertProse(name);
  return /[`"“”„‟«»‹›「」『』]/u.test(words) ? codeSpan(name) : quote(words);
}

/** The punctuation of the sentence stays outside of the code span. */
function marked(word: string): string {
  const [, before = '', middle = '', after = ''] = /^([“(]*)(.*?)([.,:;!?…)”]*)$/u.exec(word) ?? [];
  return middle === '' ? word : before + codeSpan(middle) + after;
}

/** For notifications, input prompts and validation messages, which turn `[x](command:…)` into a link: none can start. */
export function inertNotification(text: string, max = 300): string {
  return isolatedNames(shown(text, max, breakIcons).replaceAll('[', '［').replaceAll(']', '］'));
}

/** For tree labels and descriptions, quick picks and the status bar: no icon can start. */
export function inertLabel(text: string, max = 100): string {
  return isolated(shown(text, max, breakIcons));
}

/** Letters of Hebrew, Arabic, and the other scripts that are written from right to left. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Keeps what is written from right to left apart from what stands beside it, where VS Code shows several texts in one
 * line: else a label and its description change places. Other texts stay as they are. For inert text, since its marks
 * would be made visible.
 */
export function isolated(text: string): string {
  if (!rightToLeft.test(text)) return text;
  return text
    .split(' · ')
    .map((part) => (rightToLeft.test(part) ? `\u2068${part}\u2069` : part))
    .join(' · ');
}

/**
 * The same for a sentence with such names in it, each of which is kept apart from the next and from the words around
 * it: else "שלום: حساب failed" would be read from the account to the deployment.
 */
export function isolatedNames(sentence: string): string {
  if (!rightToLeft.test(sentence)) return sentence;
  const letter = rightToLeft.source;
  // "חשבון 2": up to the next mark of punctuation, or letter of another script.
  const name = new RegExp(
    String.raw`${letter}[${letter}\p{M}\p{N}\u200C\u200D _'’"\-]*(?<![ '’"\-])`,
    'gv',
  );
  return sentence.replace(name, '\u2068$&\u2069');
}

/**
 * For what someone said, in a text that is pasted into Markdown, a chat, or a mail: a code span in
 * which programs that know no code spans find no address and no mention either.
 */
export function inertQuote(text: string, max = 200): string {
  return codeSpan(
    shown(text, max, (visible) =>
      withoutAddresses(visible).replaceAll('@', '＠').replaceAll('`', "'"),
    ),
  );
}

/** As `inertProse`, for a text that stands in an editor first, where VS Code makes links of addresses. */
export function inertNote(text: string, max = 200): string {
  return inertProse(withoutAddresses(shorten(text, max)));
}

/** For the log, of which VS Code makes links in the same way: one line. */
export function inertLogText(text: string, max = 2000): string {
  return shown(text, max, withoutAddresses);
}

/** VS Code makes links of `http://`, `https://`, and `file://` in each text editor. */
function withoutAddresses(text: string): string {
  return text.replaceAll('://', ': //');
}

/** For diagnostics, plain tooltips and screen-reader labels: one line of plain text. */
export function inertPlain(text: string, max = 500): string {
  return shown(text, max);
}

/** `##[group]` and `##vso[...]` are commands of CI runners wherever they stand in a line. */
const commandMark = /##(?=\w*\[)/g;

/** For the log of a CI job: one line that begins no command of a runner. */
export function inertLogLine(text: string): string {
  return visibleControls(text)
    .replace(commandMark, '# #')
    .replace(/^(\s*:)(?=:)/, '$1 ');
}

/** For the same, JSON whose text is unchanged for who parses it, hidden characters apart. */
export function inertJson(value: object): string {
  const text = JSON.stringify(
    value,
    (_, part) => (typeof part === 'string' ? visibleControls(part) : part),
    2,
  );
  return text.replace(commandMark, '#\\u0023');
}

/** Only the beginning is looked at, because a text can be a thousand times too long. */
function shown(text: string, max: number, change = (visible: string) => visible): string {
  return shorten(
    change(visibleControls(text.length > max + 64 ? text.slice(0, max + 64) : text)),
    max,
  );
}

function breakIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** What these join, part, or hold together is cut away, so they would be made visible when the text is shown once more. */
const betweenCharacters = String.raw`[\u180E\u200B-\u200D\u2060]+`;
const endBetween = new RegExp(`${betweenCharacters}$`);
const startBetween = new RegExp(`^${betweenCharacters}`);
/** A character of more units than this is nothing that anyone reads, so it may be cut between its code points. */
const maxCharacterUnits = 64;

/** At most `max` UTF-16 units, the last one an ellipsis if something was cut; never cuts through a character. */
export function shorten(text: string, max = 80): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const cut = max - 1;
  const window = text.slice(0, cut + maxCharacterUnits);
  const border = graphemes().segment(window).containing(cut)?.index ?? cut;
  const kept = text.slice(0, border > cut - maxCharacterUnits ? border : cut);
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').replace(endBetween, '')}…`;
}

/**
 * "Unreachable (TLS) · 7 failing" in at most `max` UTF-16 units. Where both do not fit, the verdict is a shorter one, then
 * the name is, and then the name is cut: a number that lost digits would be another number. Both lists have the longest
 * first.
 */
export function nameBeside(
  verdicts: readonly string[],
  names: readonly string[],
  max: number,
): string {
  const both = names.flatMap((name) => verdicts.map((verdict) => `${name} · ${verdict}`));
  const fitting = both.find(({ length }) => length <= max);
  if (fitting !== undefined) return fitting;
  const end = ` · ${verdicts.at(-1) ?? ''}`;
  return `${shorten(names.at(-1) ?? '', max - end.length)}${end}`;
}

/** At most `max` UTF-16 units, with an ellipsis in place of the middle: names of accounts often differ at their ends. */
export function shortenMiddle(text: string, max = 20): string {
  if (text.length <= max) return text;
  const head = shorten(text, Math.ceil((max + 1) / 2));
  const from = text.length - Math.floor((max - 1) / 2);
  // Flags in a row are told apart from where the first one begins.
  const window = Math.max(0, from - 1000);
  const { index = 0, segment = '' } =
    graphemes()
      .segment(text.slice(window))
      .containing(from - window) ?? {};
  const tail = text.slice(window + index === from ? from : window + index + segment.length);
  return head + tail.replace(startBetween, '');
}

/** For logs and results: the first 4 and last 4 characters if there are at least 12, else none. */
export function shortenKeyId(keyId: string): string {
  // Counted by code point, so that no half of a character is left.
  const characters = Array.from(keyId);
  return characters.length < 12
    ? '…'
    : `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
