import { strict as assert } from 'node:assert';
import { asEnteredId, enteredIds, idProblem } from '../../../src/model/input.js';

const holdsToken = (text: string) => text.includes('tok_1');

describe('an id that somebody enters', () => {
  it('may hold whatever can be encoded', () => {
    for (const id of ['a/b', 'a b', '%2e%2e', '...', '日本', '😀', '[x](y)', 'a'.repeat(1000)]) {
      assert.equal(idProblem(id, holdsToken), undefined, id);
    }
  });

  it('is refused where no encoding helps, and with a stored token in it', () => {
    assert.deepEqual(
      ['', '.', '..', 'a\ud800', 'a'.repeat(1001), 'x tok_1 y'].map((id) => idProblem(id, holdsToken)),
      ['empty', 'dotSegment', 'dotSegment', 'loneSurrogate', 'tooLong', 'token'],
    );
  });
});

const idsIn = (text: string) => enteredIds(text).map(({ id }) => id);
const fromUrls = (text: string) => enteredIds(text).flatMap(({ id, fromUrl }) => (fromUrl ? [id] : []));

describe('ids that somebody enters at once', () => {
  it('are separated by spaces and commas, and count once', () => {
    assert.deepEqual(idsIn(' dep_1, dep_2\tdep_1,,dep_3\n'), ['dep_1', 'dep_2', 'dep_3']);
    assert.deepEqual(idsIn(' , '), []);
  });

  it('may hold spaces and commas in quotes, also those of a prefilled one', () => {
    assert.deepEqual(idsIn('"dep 1", "a,b" c"d'), ['dep 1', 'a,b', 'c"d']);
    for (const id of ['dep_1', 'a b', 'a,b']) assert.deepEqual(idsIn(asEnteredId(id)), [id]);
  });

  it('are the last segment of a URL, decoded', () => {
    assert.deepEqual(fromUrls('https://dash.example/deployments/dep%201/?tab=a#top x/y'), ['dep 1']);
    assert.deepEqual(fromUrls('vscode://a.b/c/50%'), ['50%']);
    assert.deepEqual(fromUrls('https://dash.example/ "https://dash.example/a" a://'), ['']);
  });
});
