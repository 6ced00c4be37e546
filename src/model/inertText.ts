// Text of the platform and of settings is shown as text. There is one function for each kind of surface. Each makes
// invisible characters visible first and then cuts, and none throws, whatever comes.

import { lazy } from './base/lazy.js';

/** For a MarkdownString (hovers, tooltips): all that Markdown, icons or the detection of links could take for syntax becomes a numeric reference. */
export function inertMarkdown(text: string, max = 1000): string {
  return shown(text, max)
    .replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)
    .replace(/^ | $| (?= )/g, '&#160;');
}

/** For Markdown that is pasted elsewhere (the report): a code span, longer in backticks than what it holds. */
export function codeSpan(text: string, max = 1000): string {
  const content = shown(text, max, breakIcons) || ' ';
  const longest = Math.max(0, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // Markdown takes one space off both sides, unless there is nothing but spaces.
  const padded = /^[ `]|[ `]$/.test(content) && /[^ ]/.test(content) ? ` ${content} ` : content;
  return fence + padded + fence;
}

/** No syntax of any Markdown, no link, no mention and no number of an issue can be made of such words. */
const plainWord = /^["“‘'(]*\p{L}[\p{L}\p{M}’'-]{0,39}[.,:;!?…)”’'"]*$/u;

/** Where GitHub knows such a commit, it makes a link of its hash. */
const hashOfCommit = /(?<!\w)[\da-f]{7,40}(?!\w)/i;

/** A sentence of ours with foreign words in it, for the same: plain words stay, and everything else is in code spans. */
export function inertProse(text: string): string {
  return shown(text, 2000)
    .split(/([\s，。：；、（）「」]+)/u)
    .map((word, at) => (at % 2 === 1 || word === '' || isPlain(word) ? word : marked(word)))
    .join('');
}

function isPlain(word: string): boolean {
  return plainWord.test(word) && !hashOfCommit.test(word);
}

/** The punctuation of the sentence stays outside of the code span. */
function marked(word: string): string {
  const [, before = '', middle = '', after = ''] = /^([“(]*)(.*?)([.,:;!?…)”]*)$/u.exec(word) ?? [];
  return middle === '' ? word : before + codeSpan(middle) + after;
}

/** For notifications, input prompts and validation messages, which turn `[x](command:…)` into a link: none can start. */
export function inertNotification(text: string, max = 300): string {
  return shown(text, max, breakIcons).replaceAll('[', '［').replaceAll(']', '］');
}

/** For tree labels and descriptions, quick picks and the status bar: no icon can start. */
export function inertLabel(text: string, max = 100): string {
  return shown(text, max, breakIcons);
}

/**
 * For what someone said, in a text that is pasted into Markdown, a chat, or a mail: a code span in
 * which programs that know no code spans find no address and no mention either.
 */
export function inertQuote(text: string, max = 200): string {
  return codeSpan(shown(text, max, (visible) => withoutAddresses(visible).replaceAll('@', '＠').replaceAll('`', "'")));
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
  const text = JSON.stringify(value, (_, part) => (typeof part === 'string' ? visibleControls(part) : part), 2);
  return text.replace(commandMark, '#\\u0023');
}

/** Only the beginning is looked at, because a text can be a thousand times too long. */
function shown(text: string, max: number, change = (visible: string) => visible): string {
  return shorten(change(visibleControls(text.length > max + 64 ? text.slice(0, max + 64) : text)), max);
}

function breakIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}

/** In most texts nothing is hidden, which this sees faster than a look for each hidden character. */
const plainAscii = /^[ -~]*$/;

/** Control characters, line separators, bidirectional marks, zero-width and other characters without a shape, halves of pairs. */
const hidden = /\p{Cc}|[\u2028\u2029\uFFF9-\uFFFB]|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/gu;

/** Also what reorders other characters. Joiners and variation selectors stay where they belong, as in Persian, Chinese names and emoji. Idempotent. */
export function visibleControls(text: string): string {
  if (plainAscii.test(text)) return text;
  const lines = text.replaceAll('\r\n', '\n');
  return lines.replace(hidden, (character, at: number) =>
    belongs(character, lines, at) ? character : picture(character),
  );
}

const joins =
  /^(?!\p{Default_Ignorable_Code_Point})(?![\0-\x7F])[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;
const hasVariants = /^(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Emoji}\p{S}]/u;
const emojiVariant = '\uFE0F';

function belongs(character: string, text: string, at: number): boolean {
  const before = characterBefore(text, at);
  if (/[\u200C\u200D]/.test(character)) {
    // A selector that does not belong is made visible, and what is visible is not joined to what stands before it.
    const isShape = before === emojiVariant && belongs(before, text, at - 1);
    const joined = isShape ? characterBefore(text, at - 1) : before;
    return joins.test(joined) && joins.test(text.slice(at + 1, at + 3));
  }
  return /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u.test(character) && hasVariants.test(before);
}

function characterBefore(text: string, at: number): string {
  return /.?$/su.exec(text.slice(Math.max(0, at - 2), at))?.[0] ?? '';
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

const graphemes = lazy(() => new Intl.Segmenter(undefined, { granularity: 'grapheme' }));

/** At most `max` UTF-16 units, the last one an ellipsis if something was cut; never cuts through a character. */
export function shorten(text: string, max = 80): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const cut = max - 1;
  // A character of more units than this is nothing that anyone reads, so it may be cut between its code points.
  const window = text.slice(0, cut + 64);
  const border = graphemes().segment(window).containing(cut)?.index ?? cut;
  const kept = text.slice(0, border > cut - 64 && border > 0 ? border : cut);
  // Half a pair goes, and a joiner at the end joins nothing, so it would be made visible when the text is shown once more.
  return `${kept.replace(/[\u200C\u200D]*[\uD800-\uDBFF]?$/, '')}…`;
}

/** At most `max` UTF-16 units, with an ellipsis in place of the middle: names of accounts often differ at their ends. */
export function shortenMiddle(text: string, max = 20): string {
  if (text.length <= max) return text;
  const head = shorten(text, Math.ceil((max + 1) / 2));
  const from = text.length - Math.floor((max - 1) / 2);
  const window = Math.max(0, from - 64);
  const { index = 0, segment = '' } =
    graphemes()
      .segment(text.slice(window))
      .containing(from - window) ?? {};
  return head + text.slice(window + index === from ? from : window + index + segment.length);
}

/** For logs and results: the first 4 and last 4 characters if there are at least 12, else none. */
export function shortenKeyId(keyId: string): string {
  // Counted by code point, so that no half of a character is left.
  const characters = Array.from(keyId);
  return characters.length < 12 ? '…' : `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`;
}
