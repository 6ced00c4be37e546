import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { inertLabel, inertPlain, shorten, shortenMiddle } from '../../../src/model/inertText.js';
import { visibleControls } from '../../../src/model/invisibleCharacters.js';

function tags(text: string): string {
  return Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join(
    '',
  );
}

function flag(subdivision: string): string {
  return `🏴${tags(subdivision)}\u{E007F}`;
}

/** Texts whose invisible characters are in their place and stay. */
const inPlace: readonly [what: string, text: string][] = [
  ['the flag of England', `${flag('gbeng')} UK payroll`],
  ['the flags of Scotland and Wales', `${flag('gbsct')}${flag('gbwls')}`],
  ['the flag of Texas', `${flag('ustx')} payroll`],
  ['the flag of a subdivision with a digit', flag('bh13')],
  ['a family', '👨‍👩‍👧‍👦 Family'],
  ['a profession with a skin tone', '👩🏽‍💻 On call'],
  ['a couple with a heart', '👩🏽‍❤️‍💋‍👨🏿'],
  ['the rainbow flag', '🏳️‍🌈 Pride'],
  ['a pirate flag', '🏴‍☠️ Red team'],
  ['a flag of two letters', '🇩🇪 Lohn'],
  ['a keycap', '1️⃣ #️⃣ *️⃣'],
  ['text and emoji forms', '❤️ ☎︎ ™️ ↔️ ⚠️'],
  ['Persian', 'همگام‌سازی می‌خواهم'],
  ['Persian with points', 'نامهٔ مُدَ‌ها فصل‌۱'],
  ['the Arabic abbreviation of a calendar', '1445ه\u200D'],
  ['a conjunct of Devanagari', 'क्\u200Dष'],
  ['a half-form of Bengali before its sign', 'র\u200D্যাম'],
  ['a virama at the end of a word', 'श्रीमान्\u200C उसाँय्\u200C'],
  ['an old chillu of Malayalam', 'കൂടുതല്\u200D, അവന്\u200D'],
  ['Sinhala', 'ශ්\u200Dරී ලංකා'],
  ['Khmer words', 'ខ្ញុំ\u200Bស្រឡាញ់\u200Bភាសាខ្មែរ'],
  ['a register shift of Khmer', 'ប\u200C៊ី'],
  ['Thai, Lao, and Burmese words', 'ภาษา\u200Bไทย ພາສາ\u200Bລາວ မြန်မာ\u200Bဘာသာ'],
  ['Japanese words', '給与\u200B計算\u2060ツール'],
  ['a variant of an ideograph', '葛\u{E0100}城 辻\u{E0101} 福\uFE00'],
  ['a dotted form of Shan', '\u1031\uFE00'],
  ['a variant of a symbol', '≨\uFE00'],
  ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ\u180Bᠠ ᠰᠠᠷ\u180Eᠠ'],
  ['old Hangul without a first consonant', '\u115Fᅡ \u1100\u1160 \u115F\u1160ᆨ'],
  ['points of Hebrew in their order', 'ל\u05B7\u034F\u05B4'],
];

/** Texts with invisible characters out of their place, which are shown as code points. */
const outOfPlace: readonly [what: string, text: string, expected: string][] = [
  ['a joiner between Latin letters', 'Bill\u200Ding', 'Bill⟨U+200D⟩ing'],
  ['a non-joiner between Latin letters', 'Auf\u200Clage', 'Auf⟨U+200C⟩lage'],
  ['a joiner between letters with accents', 'é\u200Dà', 'é⟨U+200D⟩à'],
  ['a joiner between marks of Latin', 'a\u0304\u200D\u0304', 'a\u0304⟨U+200D⟩\u0304'],
  ['a joiner in Cyrillic and Greek', 'д\u200Dа α\u200Cβ', 'д⟨U+200D⟩а α⟨U+200C⟩β'],
  ['a joiner between Persian and Latin', 'می\u200Cdep', 'می⟨U+200C⟩dep'],
  ['a second joiner', 'می\u200C\u200Cخ', 'می⟨U+200C⟩⟨U+200C⟩خ'],
  ['a joiner at the end of a word', 'می\u200C خ', 'می⟨U+200C⟩ خ'],
  ['a joiner between a virama and Latin', 'क्\u200Da', 'क्⟨U+200D⟩a'],
  ['a joiner between emoji and text', '👩\u200D a', '👩⟨U+200D⟩ a'],
  ['a non-joiner between emoji', '👩\u200C💻', '👩⟨U+200C⟩💻'],
  ['a space without width in Latin', 'dep\u200B_1', 'dep⟨U+200B⟩_1'],
  ['a space without width between Khmer and Latin', 'ខ\u200Ba', 'ខ⟨U+200B⟩a'],
  ['a word joiner in Latin', 'a\u2060b', 'a⟨U+2060⟩b'],
  ['a soft hyphen', 'Donau\u00ADdampf', 'Donau⟨U+00AD⟩dampf'],
  ['a byte order mark', '\uFEFFdep_1', '⟨U+FEFF⟩dep_1'],
  ['tags in plain text', `a${tags('hi')}`, 'a⟨U+E0068⟩⟨U+E0069⟩'],
  ['tags after another emoji', `👍${tags('gb')}\u{E007F}`, '👍⟨U+E0067⟩⟨U+E0062⟩⟨U+E007F⟩'],
  ['a flag without its end', `🏴${tags('gb')}`, '🏴⟨U+E0067⟩⟨U+E0062⟩'],
  ['a flag with capital tags', `🏴${tags('GBENG')}\u{E007F}`.slice(0, 4), '🏴⟨U+E0047⟩'],
  [
    'a flag of too many tags',
    flag('gbengx').slice(0, 2) + tags('gbengx'),
    `🏴${'gbengx'.replace(/./g, (one) => `⟨U+E00${one.charCodeAt(0).toString(16).toUpperCase()}⟩`)}`,
  ],
  ['an emoji selector after a letter', 'a\uFE0F', 'a⟨U+FE0F⟩'],
  ['an emoji selector after a digit', 'dep_1\uFE0F', 'dep_1⟨U+FE0F⟩'],
  ['a variation selector after a sign of ASCII', 'a+\uFE00b', 'a+⟨U+FE00⟩b'],
  ['an ideographic selector after a letter', 'a\u{E0100}', 'a⟨U+E0100⟩'],
  ['a grapheme joiner in Latin', 'a\u034F\u0308', 'a⟨U+034F⟩\u0308'],
  ['a Mongolian selector in Latin', 'a\u180B', 'a⟨U+180B⟩'],
  ['fillers of Hangul', 'a\u3164\uFFA0\u115F\u1160', 'a⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩⟨U+1160⟩'],
  ['a vowel of Khmer without a shape', 'ខ\u17B4', 'ខ⟨U+17B4⟩'],
  [
    'bidirectional marks beside Hebrew and Arabic',
    'ח\u200Fב\u200Eع\u061C',
    'ח⟨U+200F⟩ב⟨U+200E⟩ع⟨U+061C⟩',
  ],
  ['embeddings and isolates', '\u202Eab\u2066', '⟨U+202E⟩ab⟨U+2066⟩'],
  ['invisible operators', 'f\u2061x', 'f⟨U+2061⟩x'],
];

const invisible = fc.oneof(
  fc.constantFrom(
    '\u00AD',
    '\u034F',
    '\u061C',
    '\u115F',
    '\u1160',
    '\u17B4',
    '\u180B',
    '\u180E',
    '\u200B',
    '\u200C',
  ),
  fc.constantFrom(
    '\u200D',
    '\u200E',
    '\u200F',
    '\u202E',
    '\u2060',
    '\u2066',
    '\u3164',
    '\uFE00',
    '\uFE0E',
    '\uFE0F',
  ),
  fc.constantFrom(
    '\uFEFF',
    '\uFFA0',
    '\u{1D173}',
    '\u{E0001}',
    '\u{E0067}',
    '\u{E0100}',
    '\u{E007F}',
    '\u{E0FFF}',
  ),
);
const ascii = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 3 });
const parts = fc.oneof(
  invisible,
  fc.constantFrom(...inPlace.map(([, text]) => text)),
  fc.constantFrom(
    '🏴',
    '👩',
    '❤',
    '🏽',
    '🇩',
    'ب',
    'क',
    '्',
    'ខ',
    '葛',
    'ᠠ',
    '\u1100',
    'ᅡ',
    'é',
    '\u0304',
    '1',
    '\u20E3',
    ' ',
  ),
  fc.constantFrom('\uD83D', '\uDE00', '\0', '\r\n'),
);
const mixed = fc.array(parts, { maxLength: 12 }).map((all) => all.join(''));

describe('an invisible character', () => {
  for (const [what, text] of inPlace) {
    it(`stays in ${what}`, () => assert.equal(visibleControls(text), text));
  }

  for (const [what, text, expected] of outOfPlace) {
    it(`is made visible in the case of ${what}`, () =>
      assert.equal(visibleControls(text), expected));
  }

  it('is never hidden between two characters of ASCII', () => {
    fc.assert(
      fc.property(
        ascii,
        fc.array(invisible, { minLength: 1, maxLength: 4 }),
        ascii,
        (before, hidden, after) => {
          const shown = visibleControls(before + hidden.join('') + after);
          // Of a keycap there is something to see.
          if (after.startsWith('\u20E3')) return;
          assert.doesNotMatch(shown, /\p{Default_Ignorable_Code_Point}/u);
        },
      ),
    );
  });

  it('is shown the same when its text is made visible twice', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const shown = visibleControls(text);
        assert.equal(visibleControls(shown), shown);
      }),
      { numRuns: 1000 },
    );
  });

  const cuts: readonly ((shown: string, text: string, max: number) => string)[] = [
    (shown, _, max) => shorten(shown, max),
    (shown, _, max) => shortenMiddle(shown, max),
    // The marks that isolate the label are its own.
    (_, text, max) => inertLabel(text, max).replace(/[\u2068\u2069]/g, ''),
    (_, text, max) => inertPlain(text, max),
  ];
  const bounds = fc.integer({ min: 3, max: 40 });

  it('stays in its place when its text is cut', () => {
    fc.assert(
      fc.property(mixed, bounds, fc.constantFrom(...cuts), (text, max, cut) => {
        const cutText = cut(visibleControls(text), text, max);
        assert.equal(visibleControls(cutText), cutText);
      }),
      { numRuns: 4000 },
    );
  });

  it('never makes a cut text longer than its bound', () => {
    fc.assert(
      fc.property(mixed, bounds, fc.constantFrom(...cuts), (text, max, cut) => {
        const cutText = cut(visibleControls(text), text, max);
        assert.equal(cutText, cutText.slice(0, max));
      }),
      { numRuns: 4000 },
    );
  });
});
