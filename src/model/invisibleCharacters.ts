// Whether an invisible character belongs is decided by what stands beside it. It stays where it is part of an emoji or
// of the spelling of a word, and what is visible there is never a letter or digit of ASCII or of another Latin alphabet,
// so that none can be hidden in an ID.

import { lazy } from './base/lazy.js';

/** Control characters, line separators, bidirectional marks, zero-width and other characters without a shape, halves of pairs. */
const hidden = String.raw`\p{Cc}|[\u2028\u2029\uFFF9-\uFFFB]|\p{Surrogate}|\p{Default_Ignorable_Code_Point}`;

const plainAscii = /^[ -~]*$/;
const anyHidden = new RegExp(hidden, 'u');

/** Scripts whose letters join, or are stacked, in other ways around a joiner. */
const joiningScripts =
  'Arab Syrc Mand Mani Nkoo Adlm Rohg Phlp Sogd Mong Phag ' +
  'Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Newa Tirh Kthi Gran ' +
  'Mymr Khmr Lana Tibt Bali Java Cakm Lepc Limb Mtei Sund Saur Modi Shrd';

/** Scripts that are written without spaces, where a zero-width one may or must not break a line. */
const unspacedScripts = 'Thai Laoo Khmr Mymr Lana Tale Talu Tibt Java Bali Hani Hira Kana';

/** A visible letter, mark, or digit of these scripts alone: some marks are of Latin, too. */
function characterOf(scripts: string): string {
  const properties = scripts.split(' ').map((script) => String.raw`\p{scx=${script}}`);
  return String.raw`(?=[${properties.join('')}])(?!\p{scx=Latn}|\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}]`;
}

const joining = characterOf(joiningScripts);
const unspaced = characterOf(unspacedScripts);
/** The signs after which a consonant has no vowel: a joiner behind one shapes it at the end of a word, too. */
const virama = String.raw`[\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA]`;
const mongolian = String.raw`(?=\p{L})\p{sc=Mong}`;
const tagLetter = String.raw`[\u{E0061}-\u{E007A}]`;
/** A black flag with the code of a subdivision, "gbeng" (https://unicode.org/reports/tr51/#def_emoji_tag_sequence). */
const subdivisionFlag = String.raw`\u{1F3F4}${tagLetter}{2}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,3}\u{E007F}`;
const emoji = String.raw`(?:${subdivisionFlag}|\p{Extended_Pictographic}\p{Emoji_Modifier}?[\uFE0E\uFE0F]?)`;

/** The lookahead is quickly seen to fail, so that few characters are looked behind. */
function placed(before: string, character: string, after = ''): string {
  return `(?=${character})(?<=${before})${character}${after}`;
}

const inPlace = [
  String.raw`[#*0-9]\uFE0F\u20E3`,
  String.raw`${emoji}(?:\u200D${emoji}){0,9}`,
  // Variants of symbols, of ideographs, and of letters of a few other scripts.
  placed(
    String.raw`(?![\0-\x7F])[\p{Sm}\p{So}\p{Ideographic}、。！，．：；？０]`,
    String.raw`[\uFE00-\uFE02]`,
  ),
  placed(
    String.raw`(?=[\p{L}\p{M}])[\p{sc=Mymr}\p{sc=Phag}\p{sc=Mani}\p{sc=Egyp}]`,
    String.raw`[\uFE00-\uFE06]`,
  ),
  placed(String.raw`\p{Ideographic}`, String.raw`[\u{E0100}-\u{E01EF}]`),
  placed(joining, String.raw`[\u200C\u200D]`, `(?=${joining})`),
  placed(virama, String.raw`[\u200C\u200D]`, String.raw`(?![\p{L}\p{M}\p{N}_-])`),
  // Of heh a joiner makes the form that stands for the Hijri calendar.
  placed(String.raw`\u0647`, String.raw`\u200D`),
  placed(unspaced, String.raw`[\u200B\u2060]`, `(?=${unspaced})`),
  String.raw`${mongolian}[\u180B-\u180D\u180F]?(?:\u180E(?=${mongolian}))?`,
  // A syllable of Hangul without its first consonant, its vowel, or both.
  String.raw`\u115F(?:\u1160(?=[\u11A8-\u11FF])|(?=[\u1161-\u11A7]))`,
  placed(String.raw`[\u1100-\u115E\uA960-\uA97C]`, String.raw`\u1160`),
  // Between points of Hebrew it keeps their order.
  placed(
    String.raw`(?=[\p{L}\p{M}])\p{sc=Hebr}`,
    String.raw`\u034F`,
    String.raw`(?=(?=\p{M})\p{sc=Hebr})`,
  ),
].join('|');

/** Made when first needed, because it loads the properties of many scripts. */
const inPlaceOrHidden = lazy(() => new RegExp(`${inPlace}|(${hidden})`, 'gu'));

/**
 * Shows what is invisible or reorders other characters, where it is not part of an emoji or a word: a flag, a name in
 * Persian, Chinese, or Khmer. Bidirectional marks have no place, because they can move what stands beside them. Idempotent.
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
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code >= 0xd800 && code <= 0xdfff) return '\uFFFD';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
