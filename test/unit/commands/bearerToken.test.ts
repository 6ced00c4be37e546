import { strict as assert } from 'node:assert';
import { readToken } from '../../../src/model/input.js';

describe('a pasted token', () => {
  it('is taken as it is', () => {
    for (const token of ['tok_AbC.123~+/==', 'bearer_1']) {
      assert.deepEqual(readToken(token), { kind: 'token', token, cleaned: false });
    }
  });

  it('is found behind what people paste with it', () => {
    for (const pasted of ['\r\ntok_1\r\n', 'bearer   tok_1 ', 'Authorization: Bearer tok_1', 'BEARER\ttok_1']) {
      assert.deepEqual(readToken(pasted), { kind: 'token', token: 'tok_1', cleaned: true }, pasted);
    }
  });

  it('is refused with the reason', () => {
    for (const [kind, ...texts] of [
      ['empty', '', '  \n', 'Bearer', 'Authorization: Bearer '],
      ['gaps', 'tok_1 tok_2', 'tok_1\ntok_2', 'tok\u00a01'],
      ['illegal', 'tok\u0000en', 'tok\u200ben', 'tökén', 'tok\u007f'],
      ['tooLong', 'a'.repeat(16_385)],
    ]) {
      for (const pasted of texts) assert.deepEqual(readToken(pasted), { kind }, pasted);
    }
    assert.equal(readToken('a'.repeat(16_384)).kind, 'token');
  });
});
