import { strict as assert } from 'node:assert';
import { idProblem } from '../../../src/model/input.js';

const noToken = () => false;

describe('an id that somebody enters', () => {
  it('may hold whatever can be encoded', () => {
    for (const id of ['dep_1', 'a/b', 'a b', '%2e%2e', '...', 'ü', '日本', '😀', '[x](y)']) {
      assert.equal(idProblem(id, noToken), undefined, id);
    }
  });

  it('is refused where no encoding helps', () => {
    assert.equal(idProblem('', noToken), 'empty');
    assert.equal(idProblem('.', noToken), 'dotSegment');
    assert.equal(idProblem('..', noToken), 'dotSegment');
    assert.equal(idProblem('a\ud800', noToken), 'loneSurrogate');
    assert.equal(idProblem('a'.repeat(1001), noToken), 'tooLong');
  });

  it('is refused if a stored token is in it', () => {
    assert.equal(
      idProblem('x tok_1 y', (text) => text.includes('tok_1')),
      'token',
    );
  });
});
