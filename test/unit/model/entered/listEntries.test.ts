import { strict as assert } from 'node:assert';
import {
  malformedValues,
  mergeEntries,
  readEntry,
  withId,
  withLabel,
  withoutIds,
  withRestored,
} from '../../../../src/model/entered/listEntries.js';

describe('entries of the deployments setting', () => {
  it('are ids, or objects with an id and perhaps a label', () => {
    for (const entry of [
      'dep_1',
      { id: 'dep_1' },
      { id: 'dep_1', label: ' ' },
      { id: 'dep_1', note: 1 },
    ]) {
      assert.deepEqual(readEntry(entry), { id: 'dep_1' });
    }
    assert.deepEqual(readEntry({ id: 'dep_1', label: ' Billing ' }), {
      id: 'dep_1',
      label: 'Billing',
    });
    assert.deepEqual(readEntry('x'.repeat(1000)), { id: 'x'.repeat(1000) });
  });

  it('are malformed if they are anything else: named by their position, a value that is no list as a whole', () => {
    const wrong = [
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
      { id: 'a', label: 5 },
    ];
    assert.deepEqual(
      malformedValues(['a', ...wrong, { id: 'b' }]),
      wrong.map((value, index) => ({ index: index + 1, value })),
    );
    for (const value of ['dep_1', null]) assert.deepEqual(malformedValues(value), [{ value }]);
    assert.deepEqual(malformedValues(undefined), []);
  });

  it('of all scopes are one list, with the first label found', () => {
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

  it('are taken out with all their duplicates, and go back to where they were, without losing what changed meanwhile', () => {
    const ids = new Set(['a', 'b']);
    const before = ['a', 5, { id: 'b', label: 'B', note: 1 }, 'a', 'c'];
    assert.deepEqual(withoutIds(before, ids), [5, 'c']);
    assert.deepEqual(withRestored([5, 'c'], before, ids), before);
    const again = { id: 'a', label: 'again' };
    assert.deepEqual(withRestored([again], before, ids), [again, before[2]]);
    assert.deepEqual(withRestored([], ['a', 'c', 'b'], ids), ['a', 'b']);
  });

  it('get another id, and get and lose a label, and keep what else is in them', () => {
    const list = ['a', 5, { id: 'a', label: 'A', note: 1 }, { id: 'b' }];
    assert.deepEqual(withId(list, 'a', 'c'), [
      'c',
      5,
      { id: 'c', label: 'A', note: 1 },
      { id: 'b' },
    ]);
    const labelled = [{ id: 'a', label: 'B' }, 5, { id: 'a', note: 1, label: 'B' }, { id: 'b' }];
    assert.deepEqual(withLabel(list, 'a', 'B'), labelled);
    assert.deepEqual(withLabel(labelled, 'a', undefined), [
      'a',
      5,
      { id: 'a', note: 1 },
      { id: 'b' },
    ]);
  });
});
