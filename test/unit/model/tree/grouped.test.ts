import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import { childrenOf, hasChildren, type TreeElement } from '../../../../src/model/tree/elements.js';
import { firstInGroups, groupedRoots } from '../../../../src/model/tree/roots.js';
import { below, failure, muting, read } from './trees.js';

const fine = { id: 'fine', label: 'A fine one' };
const broken = { id: 'broken', error: { code: 'token_revoked', message: 'Revoked.' } };

const bound = (binding: string, accountId?: string, satisfied = false) => ({
  binding,
  satisfied,
  accountId,
});

const deployments: readonly Deployment[] = [
  read('one', {
    accounts: [broken, broken, fine],
    requirements: [bound('r1', 'broken'), bound('r2', 'fine', true)],
  }),
  read('two', { accounts: [broken], requirements: [bound('r3', 'broken')] }, [], 1),
  read('three', {
    accounts: [{ id: 'busy' }],
    requirements: [bound('r4', 'busy'), bound('r5', 'gone')],
  }),
  read('four', { accounts: [{ id: 'less' }], requirements: [bound('r6', 'less')] }),
  read('five', { accounts: [{ id: 'busy' }], requirements: [bound('r7', 'busy'), bound('r8')] }),
  { ...read('six', { accounts: [fine], requirements: [] }), state: 'unknown', failedRead: failure },
  { id: 'seven', name: 'seven', state: 'notYetRead', activity: 'idle' },
  read('eight', { accounts: [fine, { label: 'No ID' }], requirements: [] }),
  read('nine', { accounts: [{ label: 'No ID' }], requirements: [] }),
];

const everything = { filter: { isOn: false }, memory: nothingRemembered };
const onlyProblems = { ...everything, filter: { isOn: true } };

const rowsOf = (some: readonly Deployment[], options = everything) => groupedRoots(some, options);

const copied = (rows: readonly TreeElement[]) => rows.map(({ copyId }) => copyId).join();
const summed = (rows: readonly TreeElement[]) =>
  rows.map((row) => {
    const all = 'deployments' in row ? row.deployments.length : 0;
    return row.kind === 'group' ? `${row.id} ${row.members.length}/${all}` : `${row.id} ${all}`;
  });

const worst = ['["account","broken"] 2/2', '["account","busy"] 2/2', '["account","less"] 1/1'];

describe('deployments grouped by account', () => {
  const rows = rowsOf(deployments);

  it('are the accounts, worst first, then what has none, and last what is not known', () => {
    const others = [
      '["own account","eight",null,"No ID",null] 1/1',
      '["own account","nine",null,"No ID",null] 1/1',
    ];
    assert.deepEqual(summed(rows), [
      ...worst,
      '["account","fine"] 3/3',
      ...others,
      'noAccount 2/2',
      'unseen 2',
    ]);
    assert.ok(rows.every(hasChildren));
  });

  it('have below each account what is wrong with it, then its deployments with what is bound to it', () => {
    const [first, none, unseen] = [rows[0]!, rows[6]!, rows[7]!].map((root) =>
      below(root)
        .map(({ id }) => id.replace(`${root.id}/`, ''))
        .filter((id) => !/requirement.*\//.test(id))
        .join(' '),
    );
    assert.equal(
      first,
      'advice:["account","broken"] error member:one member:one/["requirement","one",null,"r1"] member:two member:two/["requirement","two",null,"r3"]',
    );
    assert.equal(
      none,
      [
        'member:three member:three/advice:["requirement","three",null,"r5"] member:three/["requirement","three",null,"r5"]',
        'member:five member:five/advice:["requirement","five",null,"r8"] member:five/["requirement","five",null,"r8"]',
      ].join(' '),
    );
    assert.match(unseen!, /^deployment:six deployment:six\/failure .* deployment:seven$/);
    assert.equal(copied(childrenOf(rows[0]!)), 'broken,broken,one,two');
    assert.ok(rows[0]?.kind === 'group');
    assert.equal(rows[0].deployments[0]?.id, 'two', 'whose answer is the newest');
  });

  it('keep their places among those before, and a new one comes last', () => {
    const placed = rowsOf(deployments.slice(2));
    const [busy, less, , ...others] = summed(placed).map((row) => row.replace(/ .*$/, ''));
    const kept = groupedRoots(deployments, { ...everything, formerRoots: placed }).map(
      ({ id }) => id,
    );
    assert.deepEqual(kept.slice(0, 2), [busy, less]);
    assert.ok(kept.indexOf('["account","broken"]') > kept.indexOf(others.at(-2)!));
  });

  it('keep the group of an account without an ID when another one fails', () => {
    const groups = [undefined, {}].map((error) => {
      const accounts = [{ label: 'Alpha' }, { label: 'Beta', error }];
      const some = rowsOf([read('one', { accounts, requirements: [] })]);
      return some
        .map((row) => [row.kind === 'group' && row.finding?.name, row.id].join(' '))
        .toSorted();
    });
    assert.deepEqual(groups[0], groups[1]);
  });

  it('count what is not satisfied because of an account whose newest answer says that it failed', () => {
    const [first] = rowsOf(deployments);
    assert.equal(first?.kind === 'group' && first.unsatisfiedCount, 2);
  });

  it('have the state of their requirements where no answer has an error', () => {
    const states = [false, undefined, true].map((satisfied) => {
      const older = [
        { accountId: 'x', satisfied },
        { accountId: 'x', satisfied: true },
      ];
      const [group] = rowsOf([
        read('a', { accounts: [{ id: 'x' }], requirements: [] }, [], 2),
        read('b', { accounts: [{ id: 'x' }], requirements: older }, [], 1),
      ]);
      return group?.kind === 'group' && group.state;
    });
    assert.deepEqual(states, ['notSatisfied', 'unknown', 'satisfied']);
  });

  it('have failed as long as any deployment says so, also where the newest answer has no error', () => {
    const [group] = rowsOf([
      read('a', { accounts: [{ id: 'x' }], requirements: [] }, [], 2),
      read('b', { accounts: [{ id: 'x', error: {} }], requirements: [] }, [], 1),
    ]);
    assert.equal(group?.kind === 'group' && group.state, 'failed');
  });

  describe('whose account is muted', () => {
    const memory = muting(({ key }) => key === '["account","broken"]');
    const group = rowsOf(deployments, { ...everything, memory }).find(
      ({ copyId }) => copyId === 'broken',
    );

    it('are muted with it', () => assert.equal(group?.kind === 'group' && group.state, 'muted'));

    it('count none of the requirements that need it', () => {
      assert.equal(group?.kind === 'group' && group.unsatisfiedCount, 0);
    });
  });

  it('hide healthy deployments and no others, and count all', () => {
    const all = [...worst, '["account","fine"] 2/3', 'noAccount 2/2', 'unseen 2'];
    assert.deepEqual(summed(rowsOf(deployments, onlyProblems)), all);
  });

  it('are found by the first row that has one', () => {
    const row = firstInGroups(rows, 'one');
    assert.deepEqual([row?.id, row?.parent], ['["account","broken"]/member:one', rows[0]]);
    assert.ok(row && childrenOf(rows[0]!).includes(row));
    assert.equal(firstInGroups(rows, 'seven')?.id, 'unseen/deployment:seven');
    assert.equal(firstInGroups(rows, 'ten'), undefined);
  });

  it('are never an empty tree while something is listed and shown', () => {
    const bare = [read('bare', { accounts: [], requirements: [] })];
    assert.deepEqual([summed(rowsOf(bare)), rowsOf(bare, onlyProblems)], [['unseen 1'], []]);
  });
});
