import { strict as assert } from 'node:assert';
import {
  malformedValues,
  mergeEntries,
  readEntry,
  withId,
  withLabel,
  withoutIds,
  withRestored,
} from '../../../src/host/list/entries.js';

describe('entries of the deployments setting', () => {
  it('are ids, or objects with an id and perhaps a label', () => {
    for (const entry of ['dep_1', { id: 'dep_1' }, { id: 'dep_1', label: ' ' }, { id: 'dep_1', note: 1 }]) {
      assert.deepEqual(readEntry(entry), { id: 'dep_1' });
    }
    assert.deepEqual(readEntry({ id: 'dep_1', label: ' Billing ' }), { id: 'dep_1', label: 'Billing' });
    assert.deepEqual(readEntry('x'.repeat(1000)), { id: 'x'.repeat(1000) });
  });

  it('are malformed if they are anything else: named by their position, a value that is no list as a whole', () => {
    const wrong = ['', ' ', 'x'.repeat(1001), 5, null, ['dep_1'], {}, { id: 5 }, { id: '' }, { id: 'a', label: 5 }];
    for (const entry of wrong) assert.equal(readEntry(entry), undefined, JSON.stringify(entry));
    assert.deepEqual(malformedValues(undefined), []);
    assert.deepEqual(malformedValues(['a', 5, 'b', null]), [
      { index: 1, value: 5 },
      { index: 3, value: null },
    ]);
    for (const value of ['dep_1', null]) assert.deepEqual(malformedValues(value), [{ value }]);
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

  it('are taken out with all their duplicates, and go back exactly to where they were; malformed ones stay', () => {
    const ids = new Set(['a', 'b']);
    const before = ['a', 5, { id: 'b', label: 'B', note: 1 }, 'a', 'c'];
    assert.deepEqual(withoutIds(before, ids), [5, 'c']);
    assert.deepEqual(withRestored([5, 'c'], before, ids), before);
  });

  it('go back without losing what changed meanwhile', () => {
    const before = ['a', 'b', { id: 'c', label: 'C' }];
    const ids = new Set(['a', 'c']);
    const again = { id: 'a', label: 'again' };
    assert.deepEqual(withRestored([again], before, ids), [again, { id: 'c', label: 'C' }]);
    assert.deepEqual(withRestored([], before, ids), ['a', { id: 'c', label: 'C' }]);
  });

  it('get another id, and keep what else is in them', () => {
    const list = ['a', 5, { id: 'a', label: 'A', note: 1 }, { id: 'b' }];
    assert.deepEqual(withId(list, 'a', 'c'), ['c', 5, { id: 'c', label: 'A', note: 1 }, { id: 'b' }]);
  });

  it('get and lose a label, and keep what else is in them', () => {
    assert.deepEqual(withLabel(['a', 'b'], 'a', 'A'), [{ id: 'a', label: 'A' }, 'b']);
    assert.deepEqual(withLabel([{ id: 'a', label: 'A' }, 5], 'a', undefined), ['a', 5]);
    assert.deepEqual(withLabel([{ id: 'a', note: 1, label: 'A' }], 'a', 'B'), [{ id: 'a', note: 1, label: 'B' }]);
    assert.deepEqual(withLabel([{ id: 'a', note: 1, label: 'A' }], 'a', undefined), [{ id: 'a', note: 1 }]);
    assert.deepEqual(withLabel(['a', { id: 'a', label: 'A' }], 'a', 'B'), [{ id: 'a', label: 'B' }, 'a']);
  });
});
