import { strict as assert } from 'node:assert';
import {
  malformedValues,
  mergeEntries,
  readEntry,
  withId,
  withLabel,
  withoutKeys,
  withRestored,
} from '../../../../src/model/entered/listEntries.js';

describe('an entry of the deployments setting', () => {
  for (const [what, entry, expected] of [
    ['an ID', 'dep_1', { id: 'dep_1' }],
    ['an ID of 1000 characters', 'x'.repeat(1000), { id: 'x'.repeat(1000) }],
    ['an object with an ID', { id: 'dep_1' }, { id: 'dep_1' }],
    ['an object with a blank label', { id: 'dep_1', label: ' ' }, { id: 'dep_1' }],
    ['an object with another field', { id: 'dep_1', note: 1 }, { id: 'dep_1' }],
    [
      'an object with a label',
      { id: 'dep_1', label: ' Billing ' },
      { id: 'dep_1', label: 'Billing' },
    ],
  ] as const) {
    it(`is read when it is ${what}`, () => assert.deepEqual(readEntry(entry), expected));
  }

  for (const entry of [
    ' ',
    '.',
    '..',
    'a\ud800',
    'dep\n1',
    { id: '\u001b[32mdep_1' },
    'x'.repeat(1001),
    5,
    null,
    ['dep_1'],
    {},
    { id: 5 },
    { id: '' },
  ]) {
    it(`is malformed when it is ${JSON.stringify(entry).slice(0, 30)}`, () => {
      const malformed = malformedValues(['a', entry, { id: 'b' }]);
      assert.deepEqual(malformed, [{ index: 1, value: entry }]);
    });
  }
});

describe('malformed values of the deployments setting', () => {
  it('are named by their positions', () => {
    assert.deepEqual(malformedValues([5, 'a', null]), [
      { index: 0, value: 5 },
      { index: 2, value: null },
    ]);
  });

  for (const value of ['dep_1', null]) {
    it(`are all of it when it is ${JSON.stringify(value)}, not a list`, () => {
      assert.deepEqual(malformedValues(value), [{ value }]);
    });
  }

  it('are none when there is no value', () => {
    assert.deepEqual(malformedValues(undefined), []);
  });
});

describe('the deployments setting', () => {
  it('is one list of the entries of all scopes, with the first label found', () => {
    const folder = ['a', { id: 'b', label: 'folder b' }, 7];
    const workspace = [{ id: 'a', label: 'workspace a' }, 'c', { id: 'b', label: 'workspace b' }];
    const user = [{ id: 'c', label: 'user c' }, { id: 'a', label: 'user a' }, 'c', 'd'];
    assert.deepEqual(mergeEntries([folder, workspace, user, undefined, 'no list']), [
      { id: 'a', label: 'workspace a' },
      { id: 'b', label: 'folder b' },
      { id: 'c', label: 'user c' },
      { id: 'd' },
    ]);
  });

  describe('after a removal', () => {
    const ids = new Set(['a', 'b']);
    const before = ['a', 5, { id: 'b', label: 'B', note: 1 }, 'a', 'c'];

    it('lacks the entries and their duplicates', () => {
      assert.deepEqual(withoutKeys(before, ids), [5, 'c']);
    });

    it('gets the entries back at their places', () => {
      assert.deepEqual(withRestored([5, 'c'], before, ids), before);
    });

    it('keeps an entry that was added again meanwhile', () => {
      const again = { id: 'a', label: 'again' };
      assert.deepEqual(withRestored([again], before, ids), [again, before[2]]);
    });

    it('does not get back an entry that was removed later', () => {
      assert.deepEqual(withRestored([], ['a', 'c', 'b'], ids), ['a', 'b']);
    });
  });

  const list = ['a', 5, { id: 'a', label: 'A', note: 1 }, { id: 'b' }];
  const labelled = [{ id: 'a', label: 'B' }, 5, { id: 'a', note: 1, label: 'B' }, { id: 'b' }];

  it('keeps the other fields of an entry that gets another ID', () => {
    const renamed = ['c', 5, { id: 'c', label: 'A', note: 1 }, { id: 'b' }];
    assert.deepEqual(withId(list, 'a', 'c'), renamed);
  });

  it('keeps the other fields of an entry that gets a label', () => {
    assert.deepEqual(withLabel(list, 'a', 'B'), labelled);
  });

  it('keeps the other fields of an entry that loses its label', () => {
    const unlabelled = ['a', 5, { id: 'a', note: 1 }, { id: 'b' }];
    assert.deepEqual(withLabel(labelled, 'a', undefined), unlabelled);
  });
});
