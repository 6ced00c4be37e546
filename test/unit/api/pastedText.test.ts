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
    it(`loses ${name} at its ends and keeps it inside`, () => {
      assert.equal(withoutInvisibleEnds(`${mark}${mark}a${mark}b${mark}${mark}`), `a${mark}b`);
    });
  }

  it('loses whatever mixture stands at its ends', () => {
    const ends = fc.array(fc.constantFrom(...invisible)).map((all) => all.join(''));
    fc.assert(
      fc.property(ends, ends, ends, (before, between, after) => {
        assert.equal(withoutInvisibleEnds(`${before}a${between}b${after}`), `a${between}b`);
        assert.equal(withoutInvisibleEnds(before), '');
      }),
    );
  });

  it('is read within a second, however many spaces it has inside', () => {
    const text = `a${' '.repeat(100_000)}b`;
    const start = performance.now();
    assert.equal(withoutInvisibleEnds(text), text);
    assert.ok(performance.now() - start < 1000);
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
    it(`is ${JSON.stringify(plain)} if it was ${JSON.stringify(quoted)}`, () => {
      assert.equal(withoutQuotes(quoted), plain);
    });
  }
});

describe('a placeholder', () => {
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
    it(`is ${text}`, () => assert.ok(isPlaceholder(text)));
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
    it(`is not ${JSON.stringify(text)}`, () => assert.ok(!isPlaceholder(text)));
  }
});
