import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { childrenOf, hasChildren } from '../../../../src/model/tree/elements.js';
import { Roots } from '../../../../src/model/tree/roots.js';
import { anyAuthorization, anyText, below, everything, failure, read, source } from './trees.js';

const rootOf = (...deployment: Parameters<typeof read>) =>
  new Roots(source([{ ...read(...deployment), failure }])).of(deployment[0])!;

describe('tree elements', () => {
  it('are put as drawn, with the id of what they are about to copy', () => {
    const root = rootOf('dep 1', everything, [{ path: 'x', expected: 'string', found: 'null' }]);
    assert.deepEqual([root.id, root.copyId], ['deployment:dep%201', 'dep 1']);
    assert.deepEqual(
      below(root).map(({ id, copyId }) => `${id.slice(root.id.length)} ${copyId}`),
      [
        '/failure dep 1',
        '/unreadable dep 1',
        '/requirement:slack:notifier notifier',
        '/requirement:slack:notifier/advice dep 1',
        '/requirement:slack:notifier/bound:acc%201 acc 1',
        '/requirement:slack:notifier/eligible:acc%202 acc 2',
        '/requirement:slack:notifier/eligible:acc%203 acc 3',
        '/requirement:slack:notifier/connection:oauth oauth',
        '/requirement:slack:notifier/connection:oauth/scope:s1 s1',
        '/requirement:%:orphan orphan',
        '/requirement:%:orphan/bound:gone gone',
        '/requirement:%:ledger ledger',
        '/connected:acc%201 acc 1',
        '/connected:acc%201/error acc 1',
        '/connected:acc%201/advice dep 1',
        '/connected:acc%201/scope:s1 s1',
        '/connected:acc%201/scope:s2 s2',
        '/connected:acc%202 acc 2',
      ],
    );
    const unnamed = rootOf('a', { accounts: [{ label: 'x' }], requirements: [{ serviceId: 'stripe' }, {}] });
    assert.equal(below(unnamed).at(-1)?.id, 'deployment:a/connected:%:x');
    assert.equal(Array.from(below(unnamed), ({ copyId }) => copyId).join(), 'a,,stripe,');
  });

  it('keep the row of a requirement that is bound to another account, and tell equal ones apart', () => {
    const rows = ['acc 1', 'acc 3'].map((accountId) => {
      const requirement = { serviceId: 'slack', binding: 'notifier', accountId };
      const root = rootOf('a', { accounts: [], requirements: [requirement, { ...requirement, accountId: 'acc 2' }] });
      return childrenOf(root).map(({ id }) => id.slice(root.id.length));
    });
    const expected = ['/failure', '/requirement:slack:notifier', '/requirement:slack:notifier#2'];
    assert.deepEqual(rows, [expected, expected]);
  });

  it('have ids of their own, and say that there are children exactly if there are, whatever the service sends', () => {
    const ids = fc.uniqueArray(anyText, { maxLength: 3 });
    fc.assert(
      fc.property(ids, anyAuthorization, fc.boolean(), fc.boolean(), (listed, answer, isStale, isWhole) => {
        const issues = isWhole ? [] : [{ path: 'x', expected: 'string', found: 'null' } as const];
        const deployments = listed.map((id) => ({ ...read(id, answer, issues), ...(isStale && { failure }) }));
        const roots = new Roots(source(deployments)).all({ onlyProblems: false }, true);
        const all = roots.flatMap((root) => [root, ...below(root)]);
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        for (const one of all) assert.equal(hasChildren(one), childrenOf(one).length > 0);
      }),
      { examples: [[['a'], { accounts: [], requirements: [] }, false, false]] },
    );
  });
});
