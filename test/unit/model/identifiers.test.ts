import assert from 'node:assert/strict';
import { looksLikeStoredToken, shortenKeyId } from '../../../src/model/identifiers.js';

describe('shortenKeyId', () => {
  for (const [keyId, expected] of [
    ['', '…'],
    ['elevenchars', '…'],
    ['twelve_chars', 'twel…hars'],
    ['key_0123456789abcdef', 'key_…cdef'],
    ['👍'.repeat(12), '👍👍👍👍…👍👍👍👍'],
    ['👍'.repeat(6), '…'],
  ] as const) {
    it(keyId, () => assert.equal(shortenKeyId(keyId), expected));
  }
});

describe('looksLikeStoredToken', () => {
  for (const [keyId, tokens, expected] of [
    ['tok_1', ['tok_1'], true],
    ['Bearer tok_1', ['other', 'tok_1'], true],
    ['key_1', ['tok_1'], false],
    ['tok', ['tok_1'], false],
    ['key_1', [''], false],
    ['key_1', [], false],
  ] as const) {
    it(`${keyId} with ${tokens.join(', ')}`, () => assert.equal(looksLikeStoredToken(keyId, tokens), expected));
  }
});
