import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isPlaceholder } from '../../../../src/api/entered/pastedText.js';
import { installTokenIn, readToken } from '../../../../src/model/entered/tokens.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const another = uuid.replace('0a', '1a');

describe('a pasted token', () => {
  for (const token of [
    'tok_1~+/==',
    'bearer_1',
    'a'.repeat(16_384),
    `a"b'c`,
    '"a',
    '$token',
    'a$(B)',
    '%ab%',
    '{x}',
    '!',
  ]) {
    it(`is accepted unchanged: ${token.slice(0, 20)}`, () => {
      assert.deepEqual(readToken(token), { kind: 'token', token, isCleaned: false });
    });
  }

  for (const pasted of [
    '\r\ntok_1\r\n',
    '\ufefftok_1\u200b',
    'bearer   tok_1 ',
    'BEARER\ttok_1',
    'Authorization: Bearer tok_1',
    'authorization :tok_1',
    '"tok_1"',
    "'tok_1'",
    '`tok_1`',
    '“tok_1”',
    '„tok_1“',
    '‘tok_1’',
    '«tok_1»',
    ' " tok_1\u2060" ',
    '"Bearer tok_1"',
    "Bearer 'tok_1'",
    "'Authorization: Bearer tok_1'",
    'Authorization: "Bearer tok_1"',
    'Authorization: Bearer "tok_1"',
  ]) {
    it(`is found in ${JSON.stringify(pasted)}`, () => {
      assert.deepEqual(readToken(pasted), { kind: 'token', token: 'tok_1', isCleaned: true });
    });
  }

  for (const [pasted, token] of [
    [`"'tok_1'"`, "'tok_1'"],
    [`'Bearer "tok_1"'`, '"tok_1"'],
    ['""tok_1""', '"tok_1"'],
    ['"" ""', '" "'],
  ] as const) {
    it(`loses one pair of quotes: ${pasted}`, () => assert.equal(readToken(pasted).token, token));
  }

  for (const text of [
    '',
    '  \n',
    '\u200b',
    'Bearer',
    '"Bearer"',
    'Authorization: Bearer ',
    'Bearer ""',
    "' '",
  ]) {
    it(`is missing in ${JSON.stringify(text)}`, () => assert.equal(readToken(text).kind, 'empty'));
  }

  it('is refused when it is too long for a header', () => {
    assert.equal(readToken('a'.repeat(16_385)).kind, 'tooLong');
  });

  for (const [text, character] of [
    ['tok_1 tok_2', ' '],
    ['tok_1\ntok_2', '\n'],
    ['tok\u00a01', '\u00a0'],
    ['tök én', 'ö'],
    ['tok\u0000en', '\u0000'],
    ['tok\u200ben', '\u200b'],
    ['tok\u007f1', '\u007f'],
    ['tok😀1', '😀'],
    ['tok\ud8001', '\ud800'],
    ['Bearer Bearer tok_1', ' '],
    ['"Authorization": "Bearer tok_1"', ' '],
  ] as const) {
    it(`is refused with its first wrong character: ${JSON.stringify(text)}`, () => {
      const read = readToken(text);
      assert.equal(read.kind, 'wrongCharacter');
      assert.equal(read.kind === 'wrongCharacter' && read.character, character);
    });
  }

  for (const [text, token, isUsable] of [
    ['$(TOKEN)', '$(TOKEN)', true],
    [' "$TOKEN" ', '$TOKEN', true],
    ['Bearer %TOKEN%', '%TOKEN%', true],
    ['<token>', '<token>', true],
    ['${{ secrets.TOKEN }}', '${{ secrets.TOKEN }}', false],
    ['Bearer <your token>', '<your token>', false],
    ['<Schlüssel>', '<Schlüssel>', false],
  ] as const) {
    it(`is a placeholder that ${isUsable ? 'could be' : 'cannot be'} a token: ${text}`, () => {
      const expected = { kind: 'placeholder', token, isUsable, isCleaned: token !== text };
      assert.deepEqual(readToken(text), expected);
    });
  }

  const characters = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
  const ends = fc
    .array(
      fc.constantFrom(
        ' ',
        '\t',
        '\r\n',
        '\u00a0',
        '\u00ad',
        '\u200b',
        '\u200e',
        '\u2060',
        '\ufeff',
      ),
    )
    .map((marks) => marks.join(''));
  const plain = fc
    .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 40 })
    .map((all) => all.join(''))
    .filter(
      (token) => !isPlaceholder(token) && !/^(["'`]).*\1$|^bearer$|^authorization:/i.test(token),
    );

  it('loses any invisible characters around it', () => {
    fc.assert(
      fc.property(plain, ends, ends, (token, before, after) => {
        const isCleaned = before + after !== '';
        assert.deepEqual(readToken(before + token + after), { kind: 'token', token, isCleaned });
      }),
    );
  });

  it('is refused with any character inside that a header cannot have', () => {
    const other = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 1 })
      .filter((one) => !/^[\x21-\x7e]$/.test(one));
    // A part that begins like a header would lose its beginning.
    const part = plain.filter((token) => !/^(?:bearer|authorization)/i.test(token));
    fc.assert(
      fc.property(part, other, part, (before, character, after) => {
        const read = readToken(`x${before}${character}${after}`);
        assert.equal(read.kind, 'wrongCharacter');
        assert.equal(read.kind === 'wrongCharacter' && read.character, character);
      }),
    );
  });
});

describe('an install token', () => {
  for (const text of [
    `{${uuid.toUpperCase()}}`,
    `urn:uuid:${uuid}`,
    `https://host.example/login?next=%2Finstalls%2F${uuid}`,
    `https://host.example/login?next=%252Finstalls%252F${uuid}%253Fa`,
    `https://host.example/?token=${uuid}&again=${uuid.toUpperCase()}`,
    `100% \u200B${uuid}\uFEFF`,
  ]) {
    it(`is found in ${JSON.stringify(text).slice(0, 70)}`, () =>
      assert.deepEqual(installTokenIn(text), { kind: 'one', token: uuid }));
  }

  for (const text of [
    '',
    uuid.slice(1),
    `${uuid}0`,
    `${uuid}-1`,
    `_${uuid}`,
    `é${uuid}`,
    uuid.replace('a', 'g'),
  ]) {
    it(`is not in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(installTokenIn(text), { kind: 'none' });
    });
  }

  it('is counted when there are several', () => {
    const several = installTokenIn(`${uuid} ${another} ${another}`);
    assert.deepEqual(several, { kind: 'several', count: 2 });
  });
});
