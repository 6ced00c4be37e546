/** Control characters, line separators, bidirectional marks, zero-width and other characters without a shape, halves of pairs. */
const hidden = /\p{Cc}|[\u2028\u2029\uFFF9-\uFFFB]|\p{Surrogate}|\p{Default_Ignorable_Code_Point}/gu;
/** Almost every text (Latin-1 without controls and the soft hyphen): no look at it character by character. */
const plain = /^[ -~\u00A0-\u00AC\u00AE-\u00FF]*$/;

/**
 * Characters that can't be seen or that reorder others, made visible; line breaks too. Joiners and variation selectors
 * stay where they belong, as in Persian, in Chinese names and in emoji. Idempotent.
 */
export function visibleControls(text: string): string {
  if (plain.test(text)) return text;
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
    // A selector that does not belong becomes visible itself, and then nothing is joined to what is before it.
    const isShape = before === emojiVariant && belongs(before, text, at - 1);
    const joined = isShape ? characterBefore(text, at - 1) : before;
    return joins.test(joined) && joins.test(text.slice(at + 1, at + 3));
  }
  return /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u.test(character) && hasVariants.test(before);
}

function characterBefore(text: string, at: number): string {
  const length = (text.codePointAt(at - 2) ?? 0) > 0xffff ? 2 : 1;
  return text.slice(Math.max(0, at - length), at);
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
