import { strict as assert } from 'node:assert';
import { asEnteredId, enteredIds, idProblem } from '../../../src/model/input.js';

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

const idsIn = (text: string) => enteredIds(text).map(({ id }) => id);
const fromUrls = (text: string) => enteredIds(text).flatMap(({ id, fromUrl }) => (fromUrl ? [id] : []));

describe('ids that somebody enters at once', () => {
  it('are separated by spaces and commas, and count once', () => {
    assert.deepEqual(idsIn(' dep_1 '), ['dep_1']);
    assert.deepEqual(idsIn('dep_1, dep_2\tdep_1,,dep_3\n'), ['dep_1', 'dep_2', 'dep_3']);
    assert.deepEqual(idsIn(' , '), []);
  });

  it('may hold spaces and commas in quotes, also those of a prefilled one', () => {
    assert.deepEqual(idsIn('"dep 1", "a,b" c"d'), ['dep 1', 'a,b', 'c"d']);
    for (const id of ['dep_1', 'a b', 'a,b', 'a/b']) assert.deepEqual(idsIn(asEnteredId(id)), [id]);
  });

  it('are the last segment of a URL, decoded', () => {
    assert.deepEqual(fromUrls('https://dash.example/deployments/dep%201/?tab=a#top x/y'), ['dep 1']);
    assert.deepEqual(fromUrls('vscode://a.b/c/50%'), ['50%']);
    assert.deepEqual(fromUrls('https://dash.example/ "https://dash.example/a" a://'), ['']);
  });
});
