import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  isPlaceholder,
  withoutInvisibleEnds,
  withoutQuotes,
} from '../../../src/api/entered/pastedText.js';

const spaces = [' ', '\t', '\r\n', '\u00a0'];
const marks = ['\u0085', '\u00ad', '\u200b', '\u200e', '\u2060', '\u2066', '\ufe0f', '\ufeff'];
const invisible = [...spaces, ...marks];

describe('a pasted text', () => {
  for (const mark of invisible) {
    const name = JSON.stringify(mark).replace(
      /[^\x20-\x7e]/g,
      (unit) => `U+${unit.charCodeAt(0).toString(16)}`,
    );
    it(`loses ${name} only at its ends`, () => {
      const text = `${mark}${mark}a${mark}b${mark}${mark}`;
      assert.equal(withoutInvisibleEnds(text), `a${mark}b`);
    });
  }

  const anyInvisible = fc.array(fc.constantFrom(...invisible)).map((all) => all.join(''));

  it('loses any mixture of invisible characters only at its ends', () => {
    fc.assert(
      fc.property(anyInvisible, anyInvisible, anyInvisible, (before, between, after) => {
        assert.equal(withoutInvisibleEnds(`${before}a${between}b${after}`), `a${between}b`);
      }),
    );
  });

  it('becomes empty when all of it is invisible', () => {
    fc.assert(fc.property(anyInvisible, (text) => assert.equal(withoutInvisibleEnds(text), '')));
  });

  it('is read within a second when it has 100,000 spaces inside', () => {
    const text = `a${' '.repeat(100_000)}b`;
    const start = performance.now();
    const read = withoutInvisibleEnds(text);
    const ms = performance.now() - start;
    assert.equal(read, text);
    assert.equal(ms < 1000, true, `${ms} ms`);
  });

  for (const [quoted, plain] of [
    ['"a"', 'a'],
    ["'a'", 'a'],
    ['`a`', 'a'],
    ['“a”', 'a'],
    ['„a“', 'a'],
    ['‘a’', 'a'],
    ['«a»', 'a'],
    [' \u200b" a "\n', 'a'],
    [`"'a'"`, "'a'"],
    ['""', ''],
    ['"', '"'],
    ['a"', 'a"'],
    ['"a', '"a'],
    [`"a'`, `"a'`],
    ['”a“', '”a“'],
    ['a"b"c', 'a"b"c'],
  ] as const) {
    it(`becomes ${JSON.stringify(plain)} when it is ${JSON.stringify(quoted)}`, () => {
      assert.equal(withoutQuotes(quoted), plain);
    });
  }
});

describe('isPlaceholder()', () => {
  for (const text of [
    '$(TOKEN)',
    '$(platform.token-1)',
    '${TOKEN}',
    '${platform.token-1}',
    '${env:TOKEN}',
    '${{ secrets.TOKEN }}',
    '${{secrets.TOKEN}}',
    "${{ secrets['my token'] || 'none' }}",
    '{{ token }}',
    '{{token}}',
    '$TOKEN',
    '$_TOKEN_2',
    '%TOKEN%',
    '<token>',
    '<your token>',
    '<TOKEN_1>',
    '<Ihr Schlüssel>',
  ]) {
    it(`is true for ${text}`, () => assert.equal(isPlaceholder(text), true));
  }

  for (const text of [
    '',
    '$',
    '$token',
    '$Token',
    '$1',
    '$TOKEN-1',
    '$$TOKEN',
    'a$(B)',
    '$(B)a',
    '$()',
    '$(1)',
    '$(a b)',
    '$(a)$(b)',
    '${}',
    '${a',
    '${a}b',
    '{x}',
    '{{a}',
    '{{a}}b',
    '{{a{b}}',
    '%ab%',
    '%AB',
    '%A%B%',
    '%%',
    '<>',
    '<a',
    '<-a>',
    '<a><b>',
    '<a>b',
    'TOKEN',
    '(TOKEN)',
  ]) {
    it(`is false for ${JSON.stringify(text)}`, () => assert.equal(isPlaceholder(text), false));
  }
});
