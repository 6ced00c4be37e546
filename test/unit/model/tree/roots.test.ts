import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import { firstRows, isShown, lastRows } from '../../../../src/model/tree/roots.js';
import { myGroupsIn } from '../../../support/window/myGroups.js';
import { failure, inGroup, read } from './trees.js';

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

const stale: Deployment = { ...fine, id: 's', state: 'unknown', failedRead: failure };

describe('the first rows of the tree', () => {
  const ignored = { count: 1, files: ['.vscode/settings.json'] };

  it('are what is ignored and then what all deployments have in common', () => {
    const rows = firstRows({ kind: 'paused', until: 1 }, { owners: ignored }, true);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['untrusted', 'cause'],
    );
  });

  it('are none when nothing is ignored or common to all deployments', () => {
    assert.deepEqual(firstRows(undefined, {}, true), []);
  });

  for (const [what, found] of [
    ['owners', { owners: ignored }],
    ['mutes', { mutes: ignored }],
    ['owners and mutes', { owners: ignored, mutes: ignored }],
  ] as const) {
    it(`are none when only ${what} are ignored and nothing is listed`, () => {
      assert.deepEqual(firstRows(undefined, found, false), []);
    });

    it(`name ignored ${what} when anything is listed`, () => {
      const rows = firstRows(undefined, found, true);
      assert.deepEqual(
        rows.map(({ id }) => id),
        ['untrusted'],
      );
    });
  }

  it('name ignored deployments even when nothing is listed', () => {
    const all = { owners: ignored, mutes: ignored, deployments: ignored };
    const rows = firstRows(undefined, all, false);
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['untrusted'],
    );
  });
});

/** The last rows that say how many deployments Hide Healthy, which is on by default, hides. */
function hiddenRows(
  listed: readonly Deployment[],
  options: Partial<Parameters<typeof lastRows>[0]> = {},
) {
  const myGroups = myGroupsIn(() => listed);
  const rows = lastRows({ filter: { isOn: true }, myGroups, ...options });
  return rows.filter((row) => row.kind === 'hidden');
}

describe('Hide Healthy', () => {
  const deployments = [bad, unknown, unread, fine, stale];

  /** The IDs of the deployments that have rows. */
  function shownIds(isOn: boolean) {
    const rowFilter = { filter: { isOn }, myGroups: myGroupsIn(() => deployments) };
    return deployments.filter((deployment) => isShown(deployment, rowFilter)).map(({ id }) => id);
  }

  /** The numbers in the rows at the end, which say how many deployments are hidden. */
  function hiddenCounts(isOn: boolean) {
    return hiddenRows(deployments, { filter: { isOn } }).map(({ count }) => count);
  }

  it('hides only healthy deployments when it is on', () => {
    assert.deepEqual(shownIds(true), ['b', 'u', 'n', 's']);
  });

  it('counts the hidden deployments in a last row when it is on', () => {
    assert.deepEqual(hiddenCounts(true), [1]);
  });

  it('hides no deployment when it is off', () => {
    assert.deepEqual(shownIds(false), ['b', 'u', 'n', 'f', 's']);
  });

  it('has no last row when it is off', () => assert.deepEqual(hiddenCounts(false), []));
});

/** Whether the last row says that all deployments are hidden; no value without a row. */
function saysAllAreHidden(...listed: readonly Deployment[]) {
  return hiddenRows(listed).map(({ isAll }) => isAll);
}

describe('the last row', () => {
  it('says that all deployments are hidden when all are healthy', () => {
    assert.deepEqual(saysAllAreHidden(fine, { ...fine, id: 'g' }), [true]);
  });

  for (const [state, other] of [
    ['failing', bad],
    ['unknown', unknown],
    ['not read yet', unread],
  ] as const) {
    it(`does not say that all deployments are hidden when one is ${state}`, () => {
      assert.deepEqual(saysAllAreHidden(fine, other), [false]);
    });
  }

  it('is absent when nothing is listed', () => assert.deepEqual(saysAllAreHidden(), []));

  it('does not say that all deployments are hidden when there may be others', () => {
    const [last] = hiddenRows([fine], { mayBeOthers: true });
    assert.equal(last?.isAll, false);
  });

  it('counts the hidden deployments when there may be others', () => {
    const [last] = hiddenRows([fine], { mayBeOthers: true });
    assert.equal(last?.count, 1);
  });
});

const grouped: readonly Deployment[] = [
  inGroup('a', 'payments', 'failed'),
  inGroup('b', 'payments'),
  inGroup('c', 'orders', 'unknown'),
  inGroup('d', 'orders'),
  inGroup('e'),
];

/** Which rows are at the end: "1 hidden", "all 2 hidden", "3 others". */
function lastRowsOf({
  isOn = false,
  chosen = [] as readonly (string | null)[],
  listed = grouped,
} = {}) {
  const rows = lastRows({ filter: { isOn }, myGroups: myGroupsIn(() => listed, ...chosen) });
  return rows.map((row) => {
    if (row.kind === 'otherGroups') return `${row.counts.total} others`;
    return row.isAll ? `all ${row.count} hidden` : `${row.count} hidden`;
  });
}

describe('the last rows', () => {
  for (const [what, options, expected] of [
    ['none when nothing is hidden or chosen', {}, []],
    ['none when a choice leaves nothing out', { chosen: ['payments', 'orders', null] }, []],
    ['none when no chosen group is left', { chosen: ['gone'] }, []],
    ['the others when a group is chosen', { chosen: ['payments'] }, ['3 others']],
    ['the others when No group is chosen', { chosen: [null] }, ['4 others']],
    [
      'the hidden ones of the chosen groups, and then the others',
      { isOn: true, chosen: ['payments'] },
      ['1 hidden', '3 others'],
    ],
    [
      'the others alone when no chosen deployment is healthy',
      { isOn: true, chosen: ['payments'], listed: [grouped[0]!, ...grouped.slice(2)] },
      ['3 others'],
    ],
    [
      'hidden ones that are not all when there are others',
      { isOn: true, chosen: [null] },
      ['1 hidden', '4 others'],
    ],
    [
      'all hidden ones when a choice leaves nothing out',
      { isOn: true, chosen: ['payments'], listed: [grouped[1]!] },
      ['all 1 hidden'],
    ],
  ] as const) {
    it(`are ${what}`, () => assert.deepEqual(lastRowsOf(options), expected));
  }

  it('count the states of the others', () => {
    const myGroups = myGroupsIn(() => grouped, 'payments');
    const [row] = lastRows({ filter: { isOn: false }, myGroups });
    assert.equal(row?.kind === 'otherGroups' && row.counts.unknown, 1);
  });

  it('have IDs of their own', () => {
    const myGroups = myGroupsIn(() => grouped, 'payments');
    const rows = lastRows({ filter: { isOn: true }, myGroups });
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['hidden', 'otherGroups'],
    );
  });
});

describe('a deployment while a group is chosen', () => {
  for (const [what, isOn, expected] of [
    ['is shown when it is in that group', false, ['a', 'b']],
    ['is shown with Hide Healthy when it is also not healthy', true, ['a']],
  ] as const) {
    it(what, () => {
      const rowFilter = { filter: { isOn }, myGroups: myGroupsIn(() => grouped, 'payments') };
      const shown = grouped.filter((deployment) => isShown(deployment, rowFilter));
      assert.deepEqual(
        shown.map(({ id }) => id),
        expected,
      );
    });
  }
});
