import { strict as assert } from 'node:assert';
import { readToken } from '../../../src/model/input.js';

describe('a pasted token', () => {
  it('is taken as it is', () => {
    assert.deepEqual(readToken('tok_AbC.123~+/=='), { kind: 'token', token: 'tok_AbC.123~+/==', cleaned: false });
  });

  for (const pasted of [
    ' tok_1\n',
    '\r\ntok_1\r\n',
    'Bearer tok_1',
    'bearer   tok_1 ',
    'Authorization: Bearer tok_1',
    'authorization:bearer tok_1',
    'BEARER\ttok_1',
  ]) {
    it(`is found in ${JSON.stringify(pasted)}`, () => {
      assert.deepEqual(readToken(pasted), { kind: 'token', token: 'tok_1', cleaned: true });
    });
  }

  for (const pasted of ['', '  \n', 'Bearer', 'Bearer ', 'Authorization: Bearer ']) {
    it(`is missing in ${JSON.stringify(pasted)}`, () => {
      assert.deepEqual(readToken(pasted), { kind: 'empty' });
    });
  }

  it('that begins with the word is no prefix', () => {
    assert.deepEqual(readToken('bearer_1'), { kind: 'token', token: 'bearer_1', cleaned: false });
  });

  it('with something else beside it is refused', () => {
    assert.deepEqual(readToken('tok_1 tok_2'), { kind: 'gaps' });
    assert.deepEqual(readToken('tok_1\ntok_2'), { kind: 'gaps' });
    assert.deepEqual(readToken('tok\u00a01'), { kind: 'gaps' });
  });

  it('that no header can carry is refused', () => {
    for (const pasted of ['tok\u0000en', 'tok\u200ben', 'tökén', 'tok\u007f', '…tok']) {
      assert.deepEqual(readToken(pasted), { kind: 'illegal' }, pasted);
    }
  });

  it('that is a whole file is refused', () => {
    assert.deepEqual(readToken('a'.repeat(20_000)), { kind: 'tooLong' });
  });
});
