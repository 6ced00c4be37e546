import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import { childrenOf, hasChildren } from '../../../../src/model/tree/elements.js';
import { firstRows } from '../../../../src/model/tree/roots.js';
import { anyAuthorization, anyText, below, failure, read, rootWith } from './trees.js';

const issues = [{ path: 'x', expected: 'string', found: 'null' }] as const;

/** The rows below a deployment that could not be read again: what is after its own id, and what Copy ID copies. */
function rowsOf(id: string, authorization: DeploymentAuthorization): readonly string[] {
  const root = rootWith({ ...read(id, authorization, issues), failure });
  return [root, ...below(root)].map((row) => `${row.id.replace(root.id, '')} ${row.copyId ?? '-'}`);
}

describe('tree elements', () => {
  it('are put as drawn, with the id of what they are about to copy', () => {
    const error = { message: 'Revoked.' };
    const accounts = [{ id: 'acc 1', scopes: ['s1', 's2'], error }, { id: 'acc 2' }, { label: 'no id' }];
    const bound = { serviceId: 'slack', binding: 'notifier', satisfied: false, accountId: 'acc 1' };
    const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['s1'] }];
    const needed = { ...bound, eligibleAccountIds: ['acc 1', 'acc 2', 'acc 3'], connections };
    const requirements = [needed, { binding: 'orphan', accountId: 'gone' }, { serviceId: 'stripe', satisfied: true }];
    const notifier = '/["requirement","dep 1","slack","notifier"]';
    assert.deepEqual(rowsOf('dep 1', { accounts, requirements }), [
      ' dep 1',
      '/failure dep 1',
      '/unreadable dep 1',
      `${notifier} notifier`,
      `${notifier}/advice dep 1`,
      `${notifier}/bound:["account","acc 1"] acc 1`,
      `${notifier}/eligible:["account","acc 2"] acc 2`,
      `${notifier}/eligible:acc%203 acc 3`,
      `${notifier}/connection:oauth oauth`,
      `${notifier}/connection:oauth/scope:s1 s1`,
      '/["requirement","dep 1",null,"orphan"] orphan',
      '/["requirement","dep 1",null,"orphan"]/bound:gone gone',
      '/["requirement","dep 1","stripe",null] stripe',
      '/connected:["account","acc 1"] acc 1',
      '/connected:["account","acc 1"]/error acc 1',
      '/connected:["account","acc 1"]/advice dep 1',
      '/connected:["account","acc 1"]/scope:s1 s1',
      '/connected:["account","acc 1"]/scope:s2 s2',
      '/connected:["account","acc 2"] acc 2',
      '/connected:["own account","dep 1",null,"no id",null] -',
    ]);
  });

  it('keep the row of a requirement that is bound to another account, and of equal ones when another is mended', () => {
    for (const [first, second] of [
      [{ accountId: 'a', satisfied: false }, { satisfied: false }],
      [{ accountId: 'b', satisfied: true }, { satisfied: false }],
      [{ accountId: 'b', satisfied: false }, { satisfied: true }],
    ]) {
      const requirements = [first, { ...second, accountId: 'c' }].map((one) => ({ binding: 'n', ...one }));
      const root = rootWith(read('dep', { accounts: [], requirements }));
      const rows = childrenOf(root).flatMap((row) =>
        row.kind === 'requirement' ? [[row.finding.boundId, row.id]] : [],
      );
      const id = 'deployment:dep/["requirement","dep",null,"n"]';
      assert.deepEqual(
        rows.toSorted(([a = ''], [b = '']) => a.localeCompare(b)).map(([, one]) => one),
        [`${id} 1/2`, `${id} 2/2`],
      );
    }
  });

  it('have ids of their own, and say that there are children exactly if there are, whatever the service sends', () => {
    const ids = fc.uniqueArray(anyText, { maxLength: 3 });
    fc.assert(
      fc.property(ids, anyAuthorization, fc.boolean(), fc.boolean(), (listed, answer, isStale, isWhole) => {
        const one = (id: string) => ({ ...read(id, answer, isWhole ? [] : issues), ...(isStale && { failure }) });
        const roots = [...firstRows(undefined, true), ...listed.map((id) => rootWith(one(id)))];
        const all = roots.flatMap((root) => [root, ...below(root)]);
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        for (const row of all) assert.equal(hasChildren(row), childrenOf(row).length > 0);
      }),
      { examples: [[['\uD800', '\uD801'], { accounts: [], requirements: [] }, false, true]] },
    );
  });
});
