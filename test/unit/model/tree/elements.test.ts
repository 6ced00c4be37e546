import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import { childrenOf, deploymentElement, hasChildren } from '../../../../src/model/tree/elements.js';
import { firstRows } from '../../../../src/model/tree/roots.js';
import { anyAuthorization, anyText, below, failure, read } from './trees.js';

const issues = [{ path: 'x', expected: 'string', found: 'null' }] as const;

/** The rows below a deployment that could not be read again: what is after its own id, and what Copy ID copies. */
function rowsOf(id: string, authorization: DeploymentAuthorization): readonly string[] {
  const root = deploymentElement({
    ...read(id, authorization, issues),
    failedRead: failure,
    state: 'unknown',
  });
  return [root, ...below(root)].map((row) => `${row.id.replace(root.id, '')} ${row.copyId ?? '-'}`);
}

const failed = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `f${at}`, error: {} }));
const needing = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    binding: `r${at}`,
    satisfied: false,
    accountId: 'f0',
  }));
const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['s'] }];
const lacking = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    binding: `l${at}`,
    satisfied: false,
    accountId: 'ok',
    connections,
  }));

const rowsWith = (accounts: number, effects: number, grants: number) => {
  const ok = { id: 'ok', connectionMethodId: 'oauth', scopes: [] };
  const requirements = [
    ...needing(effects),
    ...lacking(grants),
    { binding: 'none', satisfied: false },
  ];
  const root = deploymentElement(
    read('dep', { accounts: [...failed(accounts), ok], requirements }),
  );
  return childrenOf(root);
};
const kindsWith = (...counts: [number, number, number]) =>
  rowsWith(...counts).map(({ kind }) => kind);
const joined = (accounts: number, grants: number) =>
  rowsWith(accounts, 0, grants).flatMap((row) =>
    row.kind === 'joinedAdvice' ? `${row.advice} ${row.problems.length}` : [],
  );

describe('tree elements', () => {
  it('are what to do, what has failed, what is not satisfied or unknown, and then, folded, the rest', () => {
    const error = { message: 'Revoked.' };
    const checkedAt = '2026-11-20T09:00:00Z';
    const accounts = [
      { id: 'acc 1', scopes: ['s1', 's2'], checkedAt, error },
      { id: 'acc 2' },
      { label: 'no id' },
    ];
    const bound = { serviceId: 'slack', binding: 'notifier', satisfied: false, accountId: 'acc 1' };
    const methods = [{ connectionMethodId: 'oauth', requiredScopes: ['s1'] }];
    const needed = {
      ...bound,
      eligibleAccountIds: ['acc 1', 'acc 2', 'acc 3'],
      connections: methods,
    };
    const own = { binding: 'own', satisfied: false };
    const requirements = [
      needed,
      own,
      { binding: 'orphan', accountId: 'gone' },
      { serviceId: 'stripe', satisfied: true },
    ];
    const notifier = '/["requirement","dep 1","slack","notifier"]';
    assert.deepEqual(rowsOf('dep 1', { accounts, requirements }), [
      ' dep 1',
      '/failure dep 1',
      '/advice:["account","acc 1"] dep 1',
      '/advice:["requirement","dep 1",null,"own"] dep 1',
      '/connected:["account","acc 1"] acc 1',
      '/connected:["account","acc 1"]/error acc 1',
      '/connected:["account","acc 1"]/scope:s1 s1',
      '/connected:["account","acc 1"]/scope:s2 s2',
      '/connected:["account","acc 1"]/check acc 1',
      `${notifier} notifier`,
      `${notifier}/bound:["account","acc 1"] acc 1`,
      `${notifier}/eligible:["account","acc 2"] acc 2`,
      `${notifier}/eligible:acc%203 acc 3`,
      `${notifier}/connection:oauth oauth`,
      `${notifier}/connection:oauth/scope:s1 s1`,
      '/["requirement","dep 1",null,"own"] own',
      '/["requirement","dep 1",null,"orphan"] orphan',
      '/["requirement","dep 1",null,"orphan"]/bound:gone gone',
      '/unreadable dep 1',
      '/satisfied dep 1',
      '/satisfied/["requirement","dep 1","stripe",null] stripe',
      '/accounts dep 1',
      '/accounts/connected:["account","acc 2"] acc 2',
      '/accounts/connected:["own account","dep 1",null,"no id",null] -',
    ]);
  });

  describe('of a deployment with many problems of one kind', () => {
    it('say what to do in one row from the fourth on', () => {
      assert.deepEqual(joined(3, 3), []);
      assert.deepEqual(joined(4, 3), ['reconnectFailed 4']);
      assert.deepEqual(joined(3, 5), ['grant 5']);
      assert.deepEqual(joined(8, 4), ['reconnectFailed 8', 'grant 4']);
    });

    it('fold the requirements that need the failed accounts below these, and no others', () => {
      assert.equal(
        kindsWith(4, 2, 1).join(' '),
        'joinedAdvice advice advice account account account account effects requirement requirement accounts',
      );
      const effects = rowsWith(4, 2, 1).find(({ kind }) => kind === 'effects')!;
      assert.deepEqual(
        childrenOf(effects).map(({ copyId, parent }) => [copyId, parent?.id]),
        [
          ['r0', effects.id],
          ['r1', effects.id],
        ],
      );
    });

    it('fold nothing where no requirement needs a failed account, or three have failed', () => {
      assert.ok(!kindsWith(4, 0, 0).includes('effects'));
      assert.ok(!kindsWith(3, 9, 0).includes('effects'));
    });

    it('advise once against each problem and name each requirement once, whatever the platform sends', () => {
      fc.assert(
        fc.property(anyAuthorization, (answer) => {
          const { findings } = read('dep', answer).answer!;
          const all = childrenOf(deploymentElement(read('dep', answer)));
          const advised = all.flatMap((row) => {
            if (row.kind === 'advice') return row.problem.key;
            return row.kind === 'joinedAdvice' ? row.problems.map(({ key }) => key) : [];
          });
          const folded = all
            .filter(({ kind }) => kind === 'effects' || kind === 'satisfied')
            .flatMap(childrenOf);
          const named = [...all, ...folded].flatMap((row) =>
            row.kind === 'requirement' ? row.finding.key : [],
          );
          assert.deepEqual(advised.toSorted(), findings.problems.map(({ key }) => key).toSorted());
          assert.deepEqual(
            named.toSorted(),
            findings.requirements.map(({ key }) => key).toSorted(),
          );
        }),
      );
    });
  });

  it('are no advice against a failure that all deployments share: the first row says it', () => {
    const root = deploymentElement({
      ...read('dep', { accounts: [], requirements: [{ satisfied: true }] }),
      failedRead: failure,
    });
    const kinds = childrenOf(root).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['satisfied']);
  });

  it('have ids of their own, and say that there are children exactly if there are, whatever the platform sends', () => {
    const ids = fc.uniqueArray(anyText, { maxLength: 3 });
    fc.assert(
      fc.property(
        ids,
        anyAuthorization,
        fc.boolean(),
        fc.boolean(),
        (listed, answer, isStale, isWhole) => {
          const one = (id: string) => ({
            ...read(id, answer, isWhole ? [] : issues),
            ...(isStale && { failedRead: failure }),
          });
          const ignored = { owners: { count: 1, files: [] } };
          const roots = [
            ...firstRows(undefined, ignored, true),
            ...listed.map((id) => deploymentElement(one(id))),
          ];
          const all = roots.flatMap((root) => [root, ...below(root)]);
          assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
          for (const row of all) assert.equal(hasChildren(row), childrenOf(row).length > 0);
        },
      ),
      { examples: [[['\uD800', '\uD801'], { accounts: [], requirements: [] }, false, true]] },
    );
  });
});
