import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { asEnteredId, enteredIds, idProblem } from '../../../../src/model/entered/enteredIds.js';

const holdsToken = (text: string) => text.includes('tok_1');

describe('an entered ID', () => {
  for (const [problem, ...ids] of [
    [undefined, 'a/b', 'a b', '%2e%2e', '...', '日本', '😀', '[x](y)', 'a'.repeat(1000)],
    ['empty', ''],
    ['dotSegment', '.', '..'],
    ['invalidCharacter', 'a\ud800', '\0d\0e\0p', 'dep\n1', '\u001b[32mdep_1', 'dep\u0085'],
    ['tooLong', 'a'.repeat(1001)],
    ['token', 'x tok_1 y'],
  ] as const) {
    for (const id of ids) {
      it(`is ${problem ? `refused as ${problem}` : 'accepted'}: ${JSON.stringify(id).slice(0, 30)}`, () => {
        assert.equal(idProblem(id, holdsToken), problem);
      });
    }
  }

  for (const [text, ...ids] of [
    [' dep_1, dep_2\tdep_1,,dep_3\n', 'dep_1', 'dep_2', 'dep_3'],
    [' , '],
    ['"dep 1", "a,b" c"d', 'dep 1', 'a,b', 'c"d'],
    ['"a"" b" """q""" "c d', 'a" b', '"q"', '"c', 'd'],
    ['https://dash.example/deployments/dep%201/?tab=a#top x/y', 'dep 1 (of a URL)', 'x/y'],
    ['vscode://a.b/c/50%', '50% (of a URL)'],
    [
      'https://dash.example/ "https://dash.example/a" https://',
      ' (of a URL)',
      'https://dash.example/a',
      'https://',
    ],
  ] as const) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      const found = enteredIds(text).map(
        ({ id, isFromUrl }) => id + (isFromUrl ? ' (of a URL)' : ''),
      );
      assert.deepEqual(found, ids);
    });
  }
});

describe('asEnteredId()', () => {
  for (const id of ['a" b', '"q"', '"', '""', 'urn://x/y', 'a,"b']) {
    it(`returns a text that is read as ${id}`, () => {
      assert.deepEqual(enteredIds(asEnteredId(id)), [{ id, isFromUrl: false }]);
    });
  }

  it('returns a text that is read as the same ID, whatever that is', () => {
    const ids = fc.string({
      unit: fc.constantFrom('a', 'ü', '"', ' ', ',', '/', ':', '.', '\\', "'"),
    });
    fc.assert(
      fc.property(ids, (id) => {
        fc.pre(id.trim() === id && id !== '');
        assert.deepEqual(enteredIds(asEnteredId(id)), [{ id, isFromUrl: false }]);
      }),
    );
  });

  for (const id of ['dep_1', 'c"d', "it's"]) {
    it(`returns ${id} without quotes, which it does not need`, () => {
      assert.equal(asEnteredId(id), id);
    });
  }
});
