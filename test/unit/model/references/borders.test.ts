import assert from 'node:assert/strict';
import { hasUnspacedLetters, searchPattern } from '../../../../src/model/references/borders.js';
import { ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';

const scripts =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Letters and marks that those scripts share with Latin, and archaic ones that no range is worth. */
const leftOut = new Set([
  0x2bc, 0x303, 0x305, 0x323, 0x331, 0x16fe3, 0x16ff0, 0x16ff1, 0x16ff2, 0x16ff3,
]);

/** All characters that are a letter, a mark, or a number to Unicode, and have this property. */
function charactersThat(has: (character: string) => boolean): string[] {
  const codePoints: string[] = [];
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (/[\p{L}\p{M}\p{N}]/u.test(character) && has(character))
      codePoints.push(codePoint.toString(16));
  }
  return codePoints;
}

function isUnspacedLetter(character: string): boolean {
  if (leftOut.has(character.codePointAt(0)!)) return false;
  return !/\p{N}/u.test(character) && scripts.test(character);
}

describe('hasUnspacedLetters()', () => {
  it('knows all letters and marks of scripts without spaces', () => {
    const missed = charactersThat((one) => isUnspacedLetter(one) && !hasUnspacedLetters(one));
    assert.deepEqual(missed, []);
  });

  it('knows no other letter, mark, or number', () => {
    const added = charactersThat((one) => !isUnspacedLetter(one) && hasUnspacedLetters(one));
    assert.deepEqual(added, []);
  });
});

/** Each text with the ID `dep_1`, and where it is a reference: in a file of any language, only in Markdown, nowhere. */
const texts = {
  anywhere: [
    'dep_1',
    '(dep_1)',
    'a/dep_1.json',
    '"dep_1"',
    '👍dep_1👍',

    String.raw`a:\ndep_1`,
    String.raw`\tdep_1\n`,
    String.raw`\\\rdep_1`,
    String.raw`\bdep_1\b`,
    String.raw`\0dep_1`,
    String.raw`\x0adep_1`,
    String.raw`\u000adep_1`,
    String.raw`\u2028dep_1`,
    String.raw`\U0000000adep_1`,

    String.raw`\033[31mdep_1\033[0m`,
    String.raw`\e[mdep_1`,
    String.raw`\x1b[1;31mdep_1`,
    String.raw`\u001b[38;5;9mdep_1`,
    '\x1b[31mdep_1\x1b[m',
    '\x1b[01;31m\x1b[Kdep_1\x1b[m\x1b[K',
    '␛[0mdep_1',
    '^[[mdep_1',
    '[31mdep_1[0m',
    'id%3Ddep_1',
    'a%2Fdep_1%2Fb',
    'a%252Fdep_1',
    '%e2%80%9cdep_1',

    '失败dep_1了',
    'エラーdep_1です',
    '배포dep_1을',
    'ที่dep_1ล้ม',
    'ລົ້ມdep_1ແລ້ວ',
    'កំហុសdep_1នៅ',
    'အမှားdep_1တွင်',
    '「dep_1」',
  ],
  inMarkdown: ['_dep_1_', 'a __dep_1__ b', '(___dep_1___)', '**_dep_1_**'],
  nowhere: [
    'xdep_1',
    'dep_10',
    'my-dep_1',
    'dep_1-old',
    'édep_1',
    'dep_1б',
    '①dep_1',
    '๑dep_1',
    String.raw`\\ndep_1`,
    String.raw`\xadep_1`,
    String.raw`\uadep_1`,
    String.raw`\nxdep_1`,
    '[mdep_1',
    'x31mdep_1',
    '%dep_1x',
    '%2Fxdep_1',
    '2Fdep_1',
    '_dep_1',
    'dep_1_',
    '_dep_1__',
    '__dep_1_',
    '____dep_1____',
    'a_dep_1_',
    '_dep_1_b',
    '_失dep_1_',
  ],
};

/** The languages of a document with this text in which `dep_1` is a reference. */
function languagesWithReference(text: string): readonly string[] {
  const index = new ReferenceIndex();
  index.add('dep_1');
  return ['typescript', 'markdown'].filter((language) => index.scan(text, language).length === 1);
}

describe('the ID dep_1', () => {
  for (const text of texts.anywhere) {
    it(`is a reference in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(languagesWithReference(text), ['typescript', 'markdown']);
    });
  }

  for (const text of texts.inMarkdown) {
    it(`is a reference in ${JSON.stringify(text)} only in Markdown`, () => {
      assert.deepEqual(languagesWithReference(text), ['markdown']);
    });
  }

  for (const text of texts.nowhere) {
    it(`is no reference in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(languagesWithReference(text), []);
    });
  }
});

describe('Find ID in Files', () => {
  const pattern = new RegExp(searchPattern('dep_1'), 'u');

  for (const text of [...texts.anywhere, ...texts.inMarkdown]) {
    it(`finds dep_1 in ${JSON.stringify(text)}`, () => assert.match(text, pattern));
  }

  for (const text of texts.nowhere) {
    it(`does not find dep_1 in ${JSON.stringify(text)}`, () => assert.doesNotMatch(text, pattern));
  }
});

describe('an ID in emphasis', () => {
  const index = new ReferenceIndex();
  index.add('dep_1');

  for (const languageId of ['plaintext', 'mdx', 'git-commit']) {
    it(`is a reference in the language “${languageId}”`, () => {
      const foundIds = index.scan('__dep_1__', languageId).map(({ id }) => id);
      assert.deepEqual(foundIds, ['dep_1']);
    });
  }

  for (const languageId of ['typescript', 'log', '']) {
    it(`is no reference in the language “${languageId}”`, () => {
      assert.deepEqual(index.scan('__dep_1__', languageId), []);
    });
  }
});
