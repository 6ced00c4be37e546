import assert from 'node:assert/strict';
import { shortenKeyId } from '../../../src/model/identifiers.js';

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
