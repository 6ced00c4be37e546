import assert from 'node:assert/strict';
import { hasUnspacedLetters, searchPattern } from '../../../../src/model/references/borders.js';
import { ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';

const scripts =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

/** Letters and marks that those scripts share with Latin, and archaic ones that no range is worth. */
const leftOut = new Set([
  0x2bc, 0x303, 0x305, 0x323, 0x331, 0x16fe3, 0x16ff0, 0x16ff1, 0x16ff2, 0x16ff3,
]);

describe('hasUnspacedLetters', () => {
  it('knows the letters and marks of scripts without spaces, and no other letter, mark, or number', () => {
    const wrong: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (!/[\p{L}\p{M}\p{N}]/u.test(character)) continue;
      const isLetter = !/\p{N}/u.test(character) && scripts.test(character) && !leftOut.has(point);
      if (hasUnspacedLetters(character) !== isLetter) wrong.push(point.toString(16));
    }
    assert.deepEqual(wrong, []);
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

for (const [what, isIn] of [
  [
    'a reference',
    (text: string, languageId: string) => {
      const index = new ReferenceIndex();
      index.add('dep_1');
      return index.scan(text, languageId).length === 1;
    },
  ],
  [
    'what Find ID in Files looks for',
    (text: string) => new RegExp(searchPattern('dep_1'), 'u').test(text),
  ],
] as const) {
  describe(what, () => {
    for (const text of texts.anywhere) {
      it(`stands in ${JSON.stringify(text)}`, () =>
        assert.ok(isIn(text, 'typescript') && isIn(text, 'markdown')));
    }
    for (const text of texts.inMarkdown) {
      it(`stands in ${JSON.stringify(text)} in Markdown`, () => assert.ok(isIn(text, 'markdown')));
    }
    for (const text of texts.nowhere) {
      it(`does not stand in ${JSON.stringify(text)}`, () =>
        assert.ok(!isIn(text, 'typescript') && !isIn(text, 'markdown')));
    }
  });
}

describe('emphasis', () => {
  for (const [languageId, expected] of [
    ['plaintext', true],
    ['mdx', true],
    ['git-commit', true],
    ['typescript', false],
    ['log', false],
    ['', false],
  ] as const) {
    it(`${expected ? 'surrounds' : 'is no'} reference in the language “${languageId}”`, () => {
      const index = new ReferenceIndex();
      index.add('dep_1');
      assert.equal(index.scan('__dep_1__', languageId).length === 1, expected);
    });
  }
});
