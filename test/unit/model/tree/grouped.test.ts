import assert from 'node:assert/strict';
import type { Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { Grouped } from '../../../../src/model/tree/grouped.js';
import { below, failure, read, source } from './trees.js';

const fine = { id: 'fine', label: 'A fine one' };
const broken = { id: 'broken', error: { code: 'token_revoked', message: 'Revoked.' } };

function bound(binding: string, accountId: string | undefined, satisfied = true): Requirement {
  return { binding, satisfied, ...(accountId !== undefined && { accountId }) };
}

const deployments: readonly Deployment[] = [
  read('one', { accounts: [broken, fine], requirements: [bound('r1', 'broken', false), bound('r2', 'fine')] }),
  read('two', { accounts: [broken], requirements: [bound('r3', 'broken', false)] }),
  read('three', { accounts: [{ id: 'busy' }], requirements: [bound('r4', 'busy', false), bound('r5', 'gone', false)] }),
  read('four', { accounts: [{ id: 'less' }], requirements: [bound('r6', 'less', false)] }),
  read('five', {
    accounts: [{ id: 'busy' }],
    requirements: [bound('r7', 'busy', false), bound('r8', undefined)],
  }),
  { ...read('six', { accounts: [fine], requirements: [] }), failure },
  { id: 'seven', name: 'seven', state: 'notYetRead', activity: 'idle' },
  read('eight', { accounts: [fine, { label: 'No ID' }], requirements: [] }),
  read('nine', { accounts: [{ label: 'No ID' }], requirements: [] }),
];

function rootsOf(grouped: Grouped, onlyProblems = false): readonly TreeElement[] {
  const work = grouped.all({ onlyProblems });
  for (let step = work.next(); ; step = work.next()) if (step.done) return step.value;
}

describe('deployments grouped by account', () => {
  const grouped = new Grouped(source(deployments));

  it('are put as drawn: what is not known, then the accounts, worst first, and last what has none', () => {
    assert.deepEqual(
      rootsOf(grouped).map((root) => [root.id, 'members' in root ? root.members.length : root.copyId]),
      [
        ['unseen', undefined],
        ['account:broken', 2],
        ['account:busy', 2],
        ['account:less', 1],
        ['account:fine', 3],
        ['account:%:eight:1', 1],
        ['account:%:nine:0', 1],
        ['noAccount', 2],
      ],
    );
  });

  it('have below each account what is wrong with it, then its deployments with what is bound to it', () => {
    const rows = rootsOf(grouped);
    const rowsOf = (id: string) => {
      const root = rows.find((one) => one.id === id)!;
      return below(root).flatMap((row) => (/bound:/.test(row.id) ? [] : [row.id.slice(root.id.length)]));
    };
    assert.deepEqual(rowsOf('account:broken'), [
      '/error',
      '/advice',
      '/member:one',
      '/member:one/requirement:%:r1',
      '/member:one/requirement:%:r1/advice',
      '/member:two',
      '/member:two/requirement:%:r3',
      '/member:two/requirement:%:r3/advice',
    ]);
    assert.deepEqual(rowsOf('noAccount'), [
      '/member:three',
      '/member:three/requirement:%:r5',
      '/member:three/requirement:%:r5/advice',
      '/member:five',
      '/member:five/requirement:%:r8',
    ]);
  });

  it('hide healthy deployments and no others, and count all', () => {
    const rows = rootsOf(grouped, true);
    const fineRow = rows.find(({ id }) => id === 'account:fine');
    assert.ok(fineRow?.kind === 'group');
    assert.deepEqual(
      fineRow.members.map(({ deployment }) => deployment.id),
      ['one', 'six'],
    );
    assert.equal(fineRow.deployments.length, 3);
    assert.equal(rows.filter(({ id }) => id.startsWith('account:%')).length, 0);
  });

  it('are found by the first row that has one', () => {
    rootsOf(grouped);
    assert.equal(grouped.of('one')?.id, 'account:broken/member:one');
    assert.equal(grouped.of('seven'), undefined);
  });

  it('are never an empty tree while something is listed and shown', () => {
    const bare = new Grouped(source([read('bare', { accounts: [], requirements: [] })]));
    assert.deepEqual(
      rootsOf(bare).map(({ id }) => id),
      ['unseen'],
    );
    assert.deepEqual(rootsOf(bare, true), []);
  });

  it('are sorted in steps, however many accounts there are', () => {
    const ids = Array.from({ length: 5000 }, (_, at) => `acc_${(at * 7) % 5000}`);
    const many = ids.map((id, at) => read(`dep_${at}`, { accounts: [{ id }], requirements: [] }));
    const work = new Grouped(source(many)).all({ onlyProblems: false });
    let steps = 0;
    for (let step = work.next(); ; step = work.next()) {
      if (!step.done) steps++;
      else {
        assert.deepEqual(
          step.value.map(({ copyId }) => copyId),
          ids.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4))),
        );
        break;
      }
    }
    assert.ok(steps > 20);
  });
});
