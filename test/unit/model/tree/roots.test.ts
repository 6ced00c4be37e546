import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import { firstRows, isShown, lastRows } from '../../../../src/model/tree/roots.js';
import { failure, read } from './trees.js';

const unknown: Deployment = {
  id: 'u',
  name: 'u',
  state: 'unknown',
  activity: 'idle',
  failedRead: failure,
};
const unread: Deployment = { id: 'n', name: 'n', state: 'notYetRead', activity: 'idle' };
const bad = read('b', { accounts: [{ error: {} }], requirements: [] });
const fine = read('f', { accounts: [], requirements: [] });

const isAll = (...listed: readonly Deployment[]) =>
  lastRows(listed, { isOn: true }).map((row) => row.isAll);

describe('roots of the tree', () => {
  it('begin with what concerns the whole view', () => {
    const ignored = { owners: { count: 1, files: ['.vscode/settings.json'] } };
    const first = firstRows({ kind: 'paused', until: 1 }, ignored, true).map(({ id }) => id);
    assert.deepEqual(first, ['untrusted', 'cause']);
    assert.deepEqual(firstRows(undefined, {}, true), []);
  });

  it('say nothing of ignored owners where nothing is listed, and leave the room to the welcome view', () => {
    const some = { count: 1, files: ['.vscode/settings.json'] };
    assert.deepEqual(firstRows(undefined, { owners: some }, false), []);
    assert.equal(firstRows(undefined, { owners: some, deployments: some }, false).length, 1);
  });

  it('hide what is healthy with the filter, saying at the end how many, and nothing that is stale', () => {
    const deployments = [
      bad,
      unknown,
      unread,
      fine,
      { ...fine, id: 's', state: 'unknown' as const, failedRead: failure },
    ];
    const rows = (onlyProblems: boolean) => {
      const shown = deployments
        .filter((one) => isShown(one, { isOn: onlyProblems }))
        .map(({ id }) => id);
      return [
        ...shown,
        ...lastRows(deployments, { isOn: onlyProblems }).map(({ count }) => count),
      ].join();
    };
    assert.deepEqual([rows(false), rows(true)], ['b,u,n,f,s', 'b,u,n,s,1']);
  });

  it('say whether all that there is is hidden', () => {
    assert.deepEqual(isAll(fine, { ...fine, id: 'g' }), [true]);
    for (const other of [bad, unknown, unread])
      assert.deepEqual(isAll(fine, other), [false], other.id);
    assert.deepEqual(isAll(), []);
  });

  it('do not say that all is hidden where there may be others', () => {
    const [last] = lastRows([fine], { isOn: true }, true);
    assert.deepEqual([last?.count, last?.isAll], [1, false]);
  });
});
