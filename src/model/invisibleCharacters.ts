// The characters beside an invisible one decide whether it belongs there. It stays where it is
// part of an emoji or of the spelling of a word. What it is a part of has no letter or digit of
// ASCII or of another Latin alphabet, except the digit of a keycap, so that no invisible character
// can be hidden in an ID.

import { lazy } from './base/lazy.js';

/**
 * Control characters, line separators, bidirectional marks, zero-width and other characters without
 * a shape, halves of pairs.
 */
const hidden = [
  String.raw`\p{Cc}`,
  String.raw`[\u2028\u2029\uFFF9-\uFFFB]`,
  String.raw`\p{Surrogate}`,
  String.raw`\p{Default_Ignorable_Code_Point}`,
].join('|');

const plainAscii = /^[ -~]*$/;
const anyHidden = new RegExp(hidden, 'u');

/** Scripts whose letters a joiner connects, or stacks, in another way. */
const joiningScripts =
  'Arab Syrc Mand Mani Nkoo Adlm Rohg Phlp Sogd Mong Phag ' +
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Newa Tirh Kthi Gran ' +
  'Mymr Khmr Lana Tibt Bali Java Cakm Lepc Limb Mtei Sund Saur Modi Shrd';

/**
 * Scripts that are written without spaces, where a zero-width space allows or forbids the end of a
 * line.
 */
const unspacedScripts = 'Thai Laoo Khmr Mymr Lana Tale Talu Tibt Java Bali Hani Hira Kana';

/**
 * Returns an expression for a visible letter, mark, or digit of these scripts. What belongs to
 * Latin as well, as some marks do, does not match.
 */
function characterOf(scripts: string): string {
  const properties = scripts.split(' ').map((script) => String.raw`\p{scx=${script}}`);
  const ofScripts = `(?=[${properties.join('')}])`;
  const notOfLatin = String.raw`(?!\p{scx=Latn}|\p{Default_Ignorable_Code_Point})`;
  return String.raw`${ofScripts}${notOfLatin}[\p{L}\p{M}\p{N}]`;
}

const joining = characterOf(joiningScripts);
const unspaced = characterOf(unspacedScripts);
/**
 * The signs after which a consonant has no vowel, in the scripts of India and Sri Lanka. A joiner
 * after one shapes it at the end of a word, too.
 */
const virama = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
const mongolian = String.raw`(?=\p{L})\p{sc=Mong}`;
const hebrew = String.raw`(?=[\p{L}\p{M}])\p{sc=Hebr}`;
const hebrewMark = String.raw`(?=\p{M})\p{sc=Hebr}`;
/** Letters of Burmese, Phags-pa, Manichaean, and Egyptian that have variants. */
const letterWithVariants = [
  String.raw`(?=[\p{L}\p{M}])`,
  String.raw`[\p{sc=Mymr}\p{sc=Phag}\p{sc=Mani}\p{sc=Egyp}]`,
].join('');
const symbolWithVariants = String.raw`(?![\0-\x7F])[\p{Sm}\p{So}\p{Ideographic}、。！，．：；？０]`;

const tagLetter = String.raw`[\u{E0061}-\u{E007A}]`;
const tagLetterOrDigit = String.raw`[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]`;
const endOfTags = String.raw`\u{E007F}`;
/**
 * A black flag with the code of a subdivision, "gbeng"
 * (https://unicode.org/reports/tr51/#def_emoji_tag_sequence).
 */
const subdivisionFlag = String.raw`\u{1F3F4}${tagLetter}{2}${tagLetterOrDigit}{1,3}${endOfTags}`;
/** A pictograph, perhaps with a color of skin, shown as text or as an emoji. */
const pictograph = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?`;
const emoji = `(?:${subdivisionFlag}|${pictograph})`;

/**
 * Returns an expression for an invisible character between what `before` and `after` match. The
 * lookahead at its beginning quickly fails for other characters, so that `before` is looked for at
 * few of them.
 */
function between(before: string, character: string, after = ''): string {
  return `(?=${character})(?<=${before})${character}${after}`;
}

/**
 * Invisible characters that belong where they are, with the emoji or the letters that they are
 * part of.
 */
const inPlace = [
  // A keycap: "1️⃣".
  String.raw`[#*0-9]\uFE0F\u20E3`,
  // Emoji that are joined to one: a family.
  String.raw`${emoji}(?:\u200D${emoji}){0,9}`,
  // Variants of symbols, of letters, and of ideographs.
  between(symbolWithVariants, String.raw`[\uFE00-\uFE02]`),
  between(letterWithVariants, String.raw`[\uFE00-\uFE06]`),
  between(String.raw`\p{Ideographic}`, String.raw`[\u{E0100}-\u{E01EF}]`),
  // A joiner, or what forbids to join.
  between(joining, String.raw`[\u200C\u200D]`, `(?=${joining})`),
  between(virama, String.raw`[\u200C\u200D]`, String.raw`(?![\p{L}\p{M}\p{N}_-])`),
  // After the letter heh a joiner makes the form that stands for the Hijri calendar.
  between(String.raw`\u0647`, String.raw`\u200D`),
  // A zero-width space, or what forbids the end of a line.
  between(unspaced, String.raw`[\u200B\u2060]`, `(?=${unspaced})`),
  // A variant of a letter of Mongolian, and the separator before a final vowel.
  String.raw`${mongolian}[\u180B-\u180D\u180F]?(?:\u180E(?=${mongolian}))?`,
  // A syllable of Hangul without its first consonant, its vowel, or both.
  String.raw`\u115F(?:\u1160(?=[\u11A8-\u11FF])|(?=[\u1161-\u11A7]))`,
  between(String.raw`[\u1100-\u115E\uA960-\uA97C]`, String.raw`\u1160`),
  // Between points of Hebrew it keeps their order.
  between(hebrew, String.raw`\u034F`, `(?=${hebrewMark})`),
].join('|');

/** Made when first needed, because it loads the properties of many scripts. */
const inPlaceOrHidden = lazy(() => new RegExp(`${inPlace}|(${hidden})`, 'gu'));

/**
 * Makes visible what is invisible or reorders other characters, "␛" or "⟨U+200B⟩", if it is not
 * part of an emoji or a word: a flag, a name in Persian, Chinese, or Khmer. Bidirectional marks are
 * always made visible, because they can move the text beside them. A line break of Windows is
 * shown as one character, "␊". Idempotent.
 */
export function visibleControls(text: string): string {
  // In most texts nothing is hidden, which two simple expressions see much faster.
  if (plainAscii.test(text) || !anyHidden.test(text)) return text;
  return text
    .replaceAll('\r\n', '\n')
    .replace(inPlaceOrHidden(), (whole, character: string | undefined) =>
      character ? picture(character) : whole,
    );
}

/** "␛", "⟨U+200B⟩" */
function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const isControl = code < 0x20;
  const isDelete = code === 0x7f;
  const isHalfOfPair = code >= 0xd800 && code <= 0xdfff;
  if (isControl) return String.fromCharCode(0x2400 + code);
  if (isDelete) return '\u2421';
  if (isHalfOfPair) return '\uFFFD';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
