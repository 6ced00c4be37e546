import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { ApiError } from '../../../src/api/failure.js';
import { pathSegment } from '../../../src/api/wireRequest.js';

describe('an id in a path', () => {
  for (const [id, segment] of [
    ['dep_77', 'dep_77'],
    ['a/b', 'a%2Fb'],
    ['..%2f', '..%252f'],
    ['%2e%2e', '%252e%252e'],
    ['%', '%25'],
    ['...', '...'],
    ['a?b#c', 'a%3Fb%23c'],
    ['a\\b', 'a%5Cb'],
    ['a b\r\n', 'a%20b%0D%0A'],
    ['é', '%C3%A9'],
    ['😀', '%F0%9F%98%80'],
    ['.\u200b.', '.%E2%80%8B.'],
  ] as const) {
    it(`${JSON.stringify(id)} is ${segment}`, () => assert.equal(pathSegment(id), segment));
  }

  for (const [id, reason] of [
    ['', 'empty'],
    ['.', 'dotSegment'],
    ['..', 'dotSegment'],
    ['\ud800', 'loneSurrogate'],
    ['a\udc00b', 'loneSurrogate'],
  ] as const) {
    it(`${JSON.stringify(id)} is refused: ${reason}`, () => {
      assert.throws(
        () => pathSegment(id),
        (error) => {
          assert.ok(error instanceof ApiError);
          assert.deepEqual(error.failure, { kind: 'invalidId', reason });
          return true;
        },
      );
    });
  }

  it('is one segment that a URL parser leaves alone, and the id again when decoded', () => {
    const ids = fc.string({ unit: 'binary', minLength: 1 }).filter((id) => id !== '.' && id !== '..');
    fc.assert(
      fc.property(ids, (id) => {
        const segment = pathSegment(id);
        assert.equal(new URL(`https://host.example/api/v1/x/${segment}/y`).pathname, `/api/v1/x/${segment}/y`);
        assert.equal(decodeURIComponent(segment), id);
        assert.match(segment, /^[\x21-\x7e]+$/);
      }),
    );
  });
});
