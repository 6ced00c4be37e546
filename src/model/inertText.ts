// Text of the service, of settings and of links is shown as text. One function for each kind of surface; all of them make
// invisible characters visible first and then cut, and none throws, whatever comes.

/** Control characters, line separators, bidirectional marks, zero-width and other characters without a shape, halves of pairs. */
const hidden = /\p{Cc}|[\u2028\u2029\uFFF9-\uFFFB]|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/gu;
/** Almost every text: no look at it character by character. */
const plainAscii = /^[ -~]*$/;

/**
 * Characters that can't be seen or that reorder others, made visible; line breaks too. Joiners and variation selectors
 * stay where they belong, as in Persian, in Chinese names and in emoji. Idempotent.
 */
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
    const joined = before === emojiVariant ? characterBefore(text, at - 1) : before;
    return joins.test(joined) && joins.test(text.slice(at + 1, at + 3));
  }
  return /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u.test(character) && hasVariants.test(before);
}

function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const length = low >= 0xdc00 && low <= 0xdfff ? 2 : 1;
  return text.slice(Math.max(0, at - length), at);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

let graphemes: Intl.Segmenter | undefined;

/** At most `max` UTF-16 units, the last one an ellipsis if something was cut; never cuts through a character. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 0) return '';
  const cut = max - 1;
  // One that is longer than this is no character that anyone reads; it is cut between its code points.
  const window = text.slice(0, cut + 64);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const border = graphemes.segment(window).containing(cut)?.index ?? cut;
  return `${text.slice(0, border > cut - 64 && border > 0 ? border : codePointBorder(text, cut))}…`;
}

function codePointBorder(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;
}

/**
 * For a MarkdownString (hovers, tooltips): plain text whatever it holds. Everything that could mean something, to
 * Markdown, to the icons or to the detection of links and addresses, becomes a numeric reference, which means nothing.
 */
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
  // A space on both sides is taken away again; only spaces are kept as they are.
  const padded = /^[ `]|[ `]$/.test(content) && /[^ ]/.test(content) ? ` ${content} ` : content;
  return fence + padded + fence;
}

/** For notifications, input prompts and validation messages, which turn `[x](command:…)` into a link: none can start. */
export function inertNotification(text: string, max = 300): string {
  return shown(text, max, breakIcons).replaceAll('[', '［').replaceAll(']', '］');
}

/** For tree labels and descriptions, quick picks and the status bar: no icon can start. */
export function inertLabel(text: string, max = 100): string {
  return shown(text, max, breakIcons);
}

/** For diagnostics, plain tooltips and screen-reader labels: one line of plain text. */
export function inertPlain(text: string, max = 500): string {
  return shown(text, max);
}

/** A text a thousand times too long is not looked at as a whole. */
function shown(text: string, max: number, change = (visible: string) => visible): string {
  return shorten(change(visibleControls(text.length > max + 64 ? text.slice(0, max + 64) : text)), max);
}

function breakIcons(text: string): string {
  return text.replaceAll('$(', '$ (');
}
