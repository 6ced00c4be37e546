import assert from 'node:assert/strict';
import type { Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { childrenOf, type TreeElement } from '../../../../src/model/tree/elements.js';
import { Grouped } from '../../../../src/model/tree/grouped.js';
import { below, failure, read, source } from './trees.js';

const fine = { id: 'fine', label: 'A fine one' };
const broken = { id: 'broken', error: { code: 'token_revoked', message: 'Revoked.' } };

function bound(binding: string, accountId: string | undefined, satisfied = true): Requirement {
  return { binding, satisfied, accountId };
}

const deployments: readonly Deployment[] = [
  read('one', { accounts: [broken, broken, fine], requirements: [bound('r1', 'broken', false), bound('r2', 'fine')] }),
  read('two', { accounts: [broken], requirements: [bound('r3', 'broken', false)] }, [], 1),
  read('three', { accounts: [{ id: 'busy' }], requirements: [bound('r4', 'busy', false), bound('r5', 'gone', false)] }),
  read('four', { accounts: [{ id: 'less' }], requirements: [bound('r6', 'less', false)] }),
  read('five', { accounts: [{ id: 'busy' }], requirements: [bound('r7', 'busy', false), bound('r8', undefined)] }),
  { ...read('six', { accounts: [fine], requirements: [] }), failure },
  { id: 'seven', name: 'seven', state: 'notYetRead', activity: 'idle' },
  read('eight', { accounts: [fine, { label: 'No ID' }], requirements: [] }),
  read('nine', { accounts: [{ label: 'No ID' }], requirements: [] }),
];

function stepsOf(grouped: Grouped, onlyProblems = false): { rows: readonly TreeElement[]; count: number } {
  const work = grouped.all({ onlyProblems });
  for (let count = 1; ; count++) {
    const { done, value } = work.next();
    if (done) return { rows: value, count };
  }
}

const idsOf = (rows: readonly TreeElement[]) => rows.map(({ id }) => id);

describe('deployments grouped by account', () => {
  const grouped = new Grouped(source(deployments));
  const { rows } = stepsOf(grouped);

  it('are put as drawn: what is not known, then the accounts, worst first, and last what has none', () => {
    assert.deepEqual(
      rows.map((root) => ('members' in root ? `${root.id} ${root.members.length}` : root.id)),
      [
        'unseen',
        'account:broken 2',
        'account:busy 2',
        'account:less 1',
        'account:fine 3',
        'account:%:eight:1 1',
        'account:%:nine:0 1',
        'noAccount 2',
      ],
    );
  });

  it('have below each account what is wrong with it, then its deployments with what is bound to it', () => {
    const [group] = rows.filter((row) => row.kind === 'group');
    assert.deepEqual(group?.deployments.map(({ id }) => id).join(), 'two,one', 'first the newest answer');
    assert.deepEqual(
      childrenOf(rows[1]!)
        .map(({ copyId }) => copyId)
        .join(),
      'broken,broken,one,two',
    );
    const [first, last] = [rows[1]!, rows[7]!].map((root) => {
      const ids = idsOf(below(root)).map((id) => id.replace(`${root.id}/`, ''));
      return ids.filter((id) => !/requirement:.*\//.test(id)).join(' ');
    });
    assert.equal(first, 'error advice member:one member:one/requirement:%:r1 member:two member:two/requirement:%:r3');
    assert.equal(last, 'member:three member:three/requirement:%:r5 member:five member:five/requirement:%:r8');
  });

  it('hide healthy deployments and no others, and count all', () => {
    const shown = stepsOf(new Grouped(source(deployments)), true).rows;
    const group = shown.find(({ id }) => id === 'account:fine');
    assert.ok(group?.kind === 'group');
    assert.deepEqual([group.members.map(({ copyId }) => copyId).join(), group.deployments.length], ['one,six', 3]);
    assert.ok(!idsOf(shown).some((id) => id.startsWith('account:%')));
  });

  it('are found by the first row that has one', () => {
    const row = grouped.of('one');
    assert.deepEqual([row?.id, row?.parent], ['account:broken/member:one', rows[1]]);
    assert.ok(row && childrenOf(rows[1]!).includes(row));
    assert.equal(grouped.of('seven'), undefined);
  });

  it('are never an empty tree while something is listed and shown', () => {
    const bare = new Grouped(source([read('bare', { accounts: [], requirements: [] })]));
    assert.deepEqual(
      [false, true].map((onlyProblems) => idsOf(stepsOf(bare, onlyProblems).rows)),
      [['unseen'], []],
    );
  });

  it('are sorted in steps, however many accounts there are', () => {
    const ids = Array.from({ length: 5000 }, (_, at) => `acc_${(at * 7) % 5000}`);
    const many = ids.map((id, at) => read(`dep_${at}`, { accounts: [{ id }], requirements: [] }));
    const sorted = stepsOf(new Grouped(source(many)));
    assert.deepEqual(
      sorted.rows.map(({ copyId }) => copyId),
      ids.map((_, at) => `acc_${at}`),
    );
    // Ten for the deployments and ten for the accounts; the rest is the sort.
    assert.ok(sorted.count > 40);
  });
});
