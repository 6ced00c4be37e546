import assert from 'node:assert/strict';
import { installTokenIn, readToken } from '../../../../src/model/entered/tokens.js';

const uuid = '0a1b2c3d-0000-4000-8000-00000000000f';
const another = uuid.replace('0a', '1a');

describe('a pasted token', () => {
  it('is found behind what is copied with it', () => {
    for (const token of ['tok_AbC.123~+/==', 'bearer_1', 'a'.repeat(16_384)]) {
      assert.deepEqual(readToken(token), { kind: 'token', token, cleaned: false });
    }
    for (const pasted of ['\r\ntok_1\r\n', 'bearer   tok_1 ', 'Authorization: Bearer tok_1', 'BEARER\ttok_1']) {
      assert.deepEqual(readToken(pasted), { kind: 'token', token: 'tok_1', cleaned: true }, pasted);
    }
  });

  for (const [kind, ...texts] of [
    ['empty', '', '  \n', 'Bearer', 'Authorization: Bearer '],
    ['gaps', 'tok_1 tok_2', 'tok_1\ntok_2', 'tok\u00a01'],
    ['illegal', 'tok\u0000en', 'tok\u200ben', 'tökén', 'tok\u007f'],
    ['tooLong', 'a'.repeat(16_385)],
  ]) {
    it(`is refused as ${kind}`, () => texts.forEach((text) => assert.deepEqual(readToken(text), { kind }, text)));
  }
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
    it(`is in ${JSON.stringify(text)}`, () => assert.deepEqual(installTokenIn(text), { kind: 'one', token: uuid }));
  }

  it('is no part of another word, and one of several is none', () => {
    const wrong = ['', uuid.slice(1), `${uuid}0`, `${uuid}-1`, `_${uuid}`, `é${uuid}`, uuid.replace('a', 'g')];
    for (const text of wrong) assert.deepEqual(installTokenIn(text), { kind: 'none' }, text);
    assert.deepEqual(installTokenIn(`${uuid} ${another} ${another}`), { kind: 'several', count: 2 });
  });
});
